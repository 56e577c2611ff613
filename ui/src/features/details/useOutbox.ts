import { useEffect, useEffectEvent, useState } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import { etag } from '@/api/etag';
import { type DetailView, useDeleteDetailMutation } from '@/api/generated';
import { Failure, type Problem } from '@/api/problem';
import { toast } from '@/components/toast';
import { newKey, putAtFields, useSubmit } from '@/components/useSubmit';
import { useText } from '@/i18n/useText';
import '@/outbox/listener';
import { outboxMiddleware } from '@/outbox/middleware';
import {
  abandoned,
  askedIn,
  changedByOther,
  corrected,
  type DetailValues,
  dropped,
  entered,
  isAtField,
  isUnrecorded,
  isWaiting,
  type Line,
  leftOversReleased,
  listed,
  type OutboxState,
  opened,
  outboxOf,
  recordedTogether,
  refused,
  released,
  repeatMeant,
  retried,
  scanned,
  setAside,
  typed,
  unanswered,
  undone,
} from '@/outbox/outbox';
import { recallUnrecorded } from '@/outbox/storage';
import { useSession } from '@/session/session';
import { clearForNext, type DetailForm, giveBack, isBegun, valuesOf } from './useDetailForm';

/**
 * Records details one after the other in the order in which they were entered, while the form is free for the next one.
 * A refused one goes back into the form with its messages, or waits beside the list while the form is in use.
 * Without an answer all wait: `retry` goes on where it stopped, with the same keys. What is recorded stays among the
 * lines until it is listed, so that nothing vanishes while the list is read again.
 */
export function useOutbox(
  sheetId: number,
  form: DetailForm,
  details: DetailView[] | undefined,
  onUndone: (detailId: number) => void,
) {
  const t = useText();
  const dispatch = useDispatch();
  const store = useStore<{ outbox: OutboxState }>();
  const userId = useSession().user?.id ?? 0;
  const outbox = useSelector((state: { outbox: OutboxState }) => outboxOf(state, sheetId));
  const { lines, stopped, undoable } = outbox;
  const waitingLast = lines.filter(isWaiting).at(-1);
  const [deleteDetail] = useDeleteDetailMutation();
  const { submit } = useSubmit();
  const [failure, setFailure] = useState<Failure | null>(null);

  if (failure) throw failure;

  // What was begun before comes back; what is begun now is stored as it is typed.
  const { setValues } = form;
  useEffect(() => {
    const stored = recallUnrecorded(userId, sheetId);
    dispatch(opened({ sheetId, stored }));
    if (stored.begun) setValues(stored.begun);
  }, [dispatch, userId, sheetId, setValues]);
  const onTyped = useEffectEvent(() => {
    const values = valuesOf(form);
    dispatch(typed({ sheetId, values: values.product && values }));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever they change.
  useEffect(() => onTyped(), [form.values]);

  useEffect(() => {
    if (details) dispatch(listed({ sheetId, ids: details.map(({ id }) => id) }));
  }, [dispatch, sheetId, details]);

  const onRefused = useEffectEvent((key: string, messages: Problem['messages']) => {
    const line = lines.find((one) => one.key === key);
    if (!line || isBegun(form) || !messages.some((one) => one.acknowledgeable || isAtField(one, line.values)))
      return;
    dispatch(dropped({ sheetId, key }));
    const asked = askedIn(messages);
    form.setValues({ ...line.values, asked });
    // What is only asked stands under the bar, and is gone past with Enter.
    if (asked.length > 0) form.getInputNode('product_id')?.focus();
    else putAtFields(form, messages);
  });
  useEffect(
    () =>
      outboxMiddleware.startListening({
        actionCreator: refused,
        effect: ({ payload }) => onRefused(payload.key, payload.messages),
      }),
    [],
  );
  useEffect(
    () =>
      outboxMiddleware.startListening({
        actionCreator: unanswered,
        effect: ({ payload }) => payload.failure && setFailure(new Failure(payload.failure)),
      }),
    [],
  );

  useEffect(() => {
    if (!stopped) return;
    const tryAgain = () => dispatch(retried({ sheetId }));
    window.addEventListener('online', tryAgain);
    return () => window.removeEventListener('online', tryAgain);
  }, [dispatch, sheetId, stopped]);

  /** Into the form again, so that nothing has to be typed twice; beside the list while the form is in use. */
  function takeBack(values: DetailValues) {
    if (isBegun(form)) dispatch(setAside({ sheetId, key: newKey(), values }));
    else giveBack(form, values);
  }

  /** Takes back what was recorded last, or what still waits for its turn. */
  async function undo() {
    if (waitingLast) {
      if (waitingLast.status !== 'pending') return;
      dispatch(dropped({ sheetId, key: waitingLast.key }));
      takeBack(waitingLast.values);
      return;
    }
    const last = undoable.at(-1);
    if (last && (await takeOff(last.detail))) takeBack(last.values);
  }

  /** True when it is off the sheet. */
  async function takeOff(detail: DetailView) {
    const done = await submit(() => deleteDetail({ detailId: detail.id, 'If-Match': etag(detail) }), {
      success: 'details.undone',
      onProblem: ({ status }) => {
        if (status !== 404 && status !== 412) return false;
        toast.error(t(status === 404 ? 'details.gone' : 'details.changed'));
        dispatch(changedByOther({ sheetId, detailId: detail.id }));
        return true;
      },
    });
    if (!done.ok) return false;
    onUndone(detail.id);
    dispatch(undone({ sheetId, detail }));
    return true;
  }

  /** What was recorded in one gesture is taken off in one, too. */
  function tellTogether(details: DetailView[]) {
    dispatch(recordedTogether({ sheetId, ids: details.map(({ id }) => id) }));
    toast.success(t('several.recorded', { count: details.length }), {
      autoClose: 15_000,
      action: {
        label: t('details.undo'),
        run: async () => {
          for (const detail of details) await takeOff(detail);
        },
      },
    });
    form.getInputNode('product_id')?.focus();
  }

  /** What is told to repeat another line is taken off, or meant. */
  async function answerRepeat(detailId: number, isMeant: boolean) {
    const repeated = undoable.find(({ detail }) => detail.id === detailId);
    if (repeated && !isMeant) await takeOff(repeated.detail);
    else dispatch(repeatMeant({ sheetId, detailId }));
    form.getInputNode('product_id')?.focus();
  }

  return {
    state: outbox,
    unrecorded: lines.filter(isUnrecorded),
    undo,
    answerRepeat,
    recordedTogether: tellTogether,
    /** Whether there is something to undo at this moment. */
    canUndo: waitingLast ? waitingLast.status === 'pending' : undoable.length > 0,
    /** Waits beside the list until the person says what becomes of it. */
    setAside(values: DetailValues) {
      clearForNext(form);
      dispatch(setAside({ sheetId, key: newKey(), values }));
    },
    add(values: DetailValues) {
      clearForNext(form);
      dispatch(entered({ sheetId, key: newKey(), values }));
    },
    retry: () => dispatch(retried({ sheetId })),
    /** The symbols that wait to be looked up outlive a reload. */
    keepScans: (waiting: string[]) => dispatch(scanned({ sheetId, waiting })),
    scansLeft: () => store.getState().outbox.scans[sheetId] ?? [],
    drop: ({ key }: Line) => dispatch(dropped({ sheetId, key })),
    /** Sends one that was set aside, as it is. */
    release: ({ key, status }: Line) =>
      dispatch(released({ sheetId, key, anew: status === 'refused' ? newKey() : undefined })),
    /** Sends what was left over, with the keys that it had. */
    releaseLeftOvers: () => dispatch(leftOversReleased({ sheetId })),
    /** Back into the form; what had been begun there takes its place. */
    correct({ key, values }: Line) {
      const begun = valuesOf(form);
      const inHand = begun.product ? { key: newKey(), values: begun } : null;
      dispatch(corrected({ sheetId, key, inHand }));
      giveBack(form, values);
    },
    abandon: () => dispatch(abandoned({ sheetId })),
  };
}

export type SheetOutbox = ReturnType<typeof useOutbox>;
