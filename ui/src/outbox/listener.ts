import { isAnyOf } from '@reduxjs/toolkit';
import { generatedApi } from '@/api/generated';
import { isGivenUp, problemOf } from '@/api/problem';
import { toast } from '@/components/toast';
import { tell } from '@/components/useSubmit';
import { text } from '@/i18n/catalogue';
import { outboxMiddleware } from './middleware';
import {
  abandoned,
  askedIn,
  corrected,
  dropped,
  entered,
  isUnrecorded,
  type Line,
  leftOversReleased,
  nextToSend,
  outboxOf,
  recorded,
  refused,
  released,
  retried,
  scanned,
  sent,
  setAside,
  typed,
  unanswered,
} from './outbox';
import { storeUnrecorded } from './storage';

const changesWhatIsUnrecorded = isAnyOf(
  typed,
  scanned,
  entered,
  setAside,
  recorded,
  refused,
  released,
  leftOversReleased,
  dropped,
  corrected,
  abandoned,
);
const maySendNext = isAnyOf(entered, released, leftOversReleased, retried, recorded, refused);

// What is not recorded is stored with every step. A sheet that is not open any more keeps what was stored.
outboxMiddleware.startListening({
  matcher: changesWhatIsUnrecorded,
  effect: ({ type, payload: { sheetId } }, { getState }) => {
    const { session, outbox } = getState();
    const sheet = outbox.sheets[sheetId];
    if (!sheet && type !== abandoned.type) return;
    storeUnrecorded(session.user?.id ?? 0, sheetId, {
      lines: sheet?.lines.filter(isUnrecorded) ?? [],
      begun: outbox.begun[sheetId] ?? null,
      scans: outbox.scans[sheetId] ?? [],
    });
  },
});

// With every step that may be the turn of the next one, that one is sent.
outboxMiddleware.startListening({
  matcher: maySendNext,
  effect: async ({ payload: { sheetId } }, { dispatch, getState }) => {
    const line = nextToSend(outboxOf(getState(), sheetId));
    if (!line) return;
    const { key } = line;
    dispatch(sent({ sheetId, key }));
    const { data, error } = await dispatch(record(sheetId, line));
    if (data) {
      toast.success(text('details.created'));
      dispatch(recorded({ sheetId, key, detail: data }));
    } else if (isGivenUp(error)) {
      dispatch(unanswered({ sheetId, key }));
    } else {
      const problem = problemOf(error);
      // What is only asked stands beside what it is about.
      const isTold = problem.status === 422 && askedIn(problem.messages).length > 0 ? true : tell(problem);
      if (problem.status === 422) dispatch(refused({ sheetId, key, messages: problem.messages }));
      else dispatch(unanswered({ sheetId, key, failure: isTold ? undefined : problem }));
    }
  },
});

const record = (sheetId: number, { key, values }: Line) =>
  generatedApi.endpoints.addSheetDetail.initiate(
    {
      sheetId,
      'Idempotency-Key': key,
      detailDraft: {
        product_id: values.product_id as number,
        quantity: values.quantity as number,
        staff_id: values.staff_id ?? undefined,
        area_id: values.area_id ?? undefined,
        consumption_sheet_id: sheetId,
        gtin: values.gtin ?? undefined,
        lot: values.lot ?? undefined,
        expiry: values.expiry ?? undefined,
        serial: values.serial ?? undefined,
        acknowledged: values.acknowledged.length > 0 ? values.acknowledged : undefined,
      },
    },
    { track: false },
  );
