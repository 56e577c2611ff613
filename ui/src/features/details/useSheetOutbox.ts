import { useEffect, useEffectEvent, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { etag } from '@/api/etag';
import { type DetailView, useDeleteDetailMutation } from '@/api/generated';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import { toast } from '@/components/toast';
import { setFieldErrors, useSubmit } from '@/components/useSubmit';
import { useText } from '@/i18n/useText';
import { useAppDispatch, useAppSelector, useAppStore } from '@/storeHooks';
import type { DetailsBatch } from './RecordBatchDrawer';
import '@/outbox/draftsListener';
import { recallDrafts } from '@/outbox/drafts';
import { MAX_ENTRIES, OutboxFull } from '@/outbox/entries';
import {
  abandoned,
  activityOf,
  askedIn,
  changedByOther,
  type DetailValues,
  dropped,
  isAtField,
  isTogether,
  isUnsent,
  isWaiting,
  listed,
  noticed,
  type OutboxLine,
  opened,
  repeatMeant,
  type SheetActivity,
  scanned,
  setAside,
  typed,
  undone,
} from '@/outbox/outboxSlice';
import { sendWaiting } from '@/outbox/sending';
import { discard, enqueue } from '@/outbox/thunks';
import { useSession } from '@/session/session';
import { clearForNext, type DetailForm, giveBack, isBegun, valuesOf } from './useDetailForm';

/** What one person enters on one sheet, and what was done while the page is open. */
export interface SheetOutboxState extends SheetActivity {
  /** As they were entered: on the device, recorded and not listed yet, or set aside. */
  lines: OutboxLine[];
  /** Since when the server does not answer. */
  unreachableSince: string | null;
  /** What waits is not sent in this moment. */
  isStopped: boolean;
}

/**
 * Enters details while the form is free for the next one: on the device first, and sent from there. A refused one goes
 * back into the form with its messages, or waits beside the list while the form is in use. What is recorded stays among
 * the lines until it is listed, so that nothing vanishes while the list is read again.
 */
export function useSheetOutbox(
  sheetId: number,
  form: DetailForm,
  details: DetailView[] | undefined,
  onUndone: (detailId: number) => void,
  onBatch: (batch: DetailsBatch) => void,
) {
  const t = useText();
  const dispatch = useAppDispatch();
  const store = useAppStore();
  const userId = useSession().user?.id ?? 0;
  const all = useAppSelector((state) => state.outbox.lines);
  const unreachableSince = useAppSelector((state) => state.outbox.unreachableSince);
  const isHeldUp = useAppSelector((state) => state.outbox.isHeldUp);
  const activity = useAppSelector((state) => activityOf(state, sheetId));
  const { corrects } = form.values;
  const state = useMemo<SheetOutboxState>(
    () => ({
      ...activity,
      lines: all.filter((line) => line.sheetId === sheetId && line.key !== corrects),
      unreachableSince,
      isStopped: unreachableSince !== null || isHeldUp,
    }),
    [activity, all, sheetId, corrects, unreachableSince, isHeldUp],
  );
  const { lines, undoable } = state;
  const waitingLast = lines.filter(isWaiting).at(-1);
  const mayUndoWaiting = waitingLast?.status === 'waiting' && waitingLast.tries === 0;
  const [deleteDetail] = useDeleteDetailMutation();
  const { submit } = useSubmit();

  // What was begun before comes back; what is begun now is stored as it is typed.
  const { setValues } = form;
  useEffect(() => {
    const drafts = recallDrafts(userId, sheetId);
    dispatch(opened({ sheetId, drafts }));
    if (drafts.begun) setValues(drafts.begun);
    dispatch(sendWaiting());
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

  /** Whoever entered it sees to it at once, unless something else is in hand. */
  const onRefused = useEffectEvent((line: OutboxLine) => {
    dispatch(noticed({ key: line.key }));
    const { items, messages } = line;
    const [values] = items;
    if (isBegun(form) || !values) return;
    if (isTogether(line)) return onBatch({ kind: 'entry', line });
    if (!messages.some((one) => one.acknowledgeable || isAtField(one, values))) return;
    const asked = askedIn(messages);
    form.setValues({ ...values, asked, corrects: line.key });
    // What is only asked stands under the bar, and is gone past with Enter.
    if (asked.length > 0) form.getInputNode('product_id')?.focus();
    else setFieldErrors(form, messages);
  });
  const justRefused = lines.find(({ status, mine }) => status === 'refused' && mine);
  useEffect(() => {
    if (justRefused) onRefused(justRefused);
  }, [justRefused]);

  /** What was recorded at once is taken off at once, too. */
  const onTogether = useEffectEvent(({ key, details: together }: OutboxLine) => {
    dispatch(noticed({ key }));
    toast.success(t('batch.recorded', { count: together.length }), {
      autoClose: 15_000,
      action: {
        label: t('details.undo'),
        run: async () => {
          for (const detail of together) await takeOff(detail);
        },
      },
    });
  });
  const together = lines.find((one) => one.status === 'recorded' && isTogether(one) && one.mine);
  useEffect(() => {
    if (together) onTogether(together);
  }, [together]);

  // Led here from the list of what is unsent.
  const { state: ledBy, pathname } = useLocation();
  const navigate = useNavigate();
  const asked = lines.find(({ key, status }) => status === 'refused' && key === ledBy?.corrects);
  const onAsked = useEffectEvent((line: OutboxLine) => {
    navigate(pathname, { replace: true, state: null });
    correct(line);
  });
  useEffect(() => {
    if (asked && details) onAsked(asked);
  }, [asked, details]);

  /** Into the form again, so that nothing has to be typed twice; beside the list while the form is in use. */
  function takeBack(values: DetailValues) {
    if (isBegun(form)) dispatch(setAside({ sheetId, key: newIdempotencyKey(), values }));
    else giveBack(form, values);
  }

  /** On the device, and from there to the server. Beside the list where the device has no room for it. */
  async function put(items: DetailValues[], kitId?: number) {
    try {
      await dispatch(enqueue({ sheetId, items, kitId }));
    } catch (error) {
      if (!(error instanceof OutboxFull)) throw error;
      toast.error(t('outbox.full', { most: MAX_ENTRIES }), { autoClose: false });
      for (const values of items) dispatch(setAside({ sheetId, key: newIdempotencyKey(), values }));
    }
    dispatch(sendWaiting());
  }

  /** Takes back what was recorded last, or what nobody has yet. */
  async function undo() {
    if (waitingLast) {
      if (!mayUndoWaiting || !(await dispatch(discard(waitingLast.key, { onlyUnsent: true })))) return;
      for (const values of waitingLast.items) takeBack(values);
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

  /** What is told to repeat another line is taken off, or meant. */
  async function answerRepeat(detailId: number, isMeant: boolean) {
    const repeated = undoable.find(({ detail }) => detail.id === detailId);
    if (repeated && !isMeant) await takeOff(repeated.detail);
    else dispatch(repeatMeant({ sheetId, detailId }));
    form.getInputNode('product_id')?.focus();
  }

  /** Back into the form; what had been begun there waits in its place. */
  function correct(line: OutboxLine) {
    const [values] = line.items;
    if (!values) return;
    if (isTogether(line)) return onBatch({ kind: 'entry', line });
    const begun = valuesOf(form);
    if (begun.product) dispatch(setAside({ sheetId, key: newIdempotencyKey(), values: begun }));
    if (line.status === 'setAside') dispatch(dropped({ key: line.key }));
    giveBack(form, { ...values, ...(line.status === 'refused' && { corrects: line.key }) });
  }

  return {
    state,
    /** What lies on the device, and what is beside the list. */
    unrecorded: lines.filter((line) => isUnsent(line) || line.status === 'setAside'),
    undo,
    answerRepeat,
    /** Whether there is something to undo at this moment. */
    canUndo: waitingLast ? mayUndoWaiting : undoable.length > 0,
    /** Waits beside the list until the person says what becomes of it. */
    setAside(values: DetailValues) {
      clearForNext(form);
      dispatch(setAside({ sheetId, key: newIdempotencyKey(), values }));
    },
    add(values: DetailValues) {
      // Kept on the device while the form is drawn anew.
      put([values]);
      clearForNext(form);
    },
    /** Several at once, such as those of a kit. */
    addTogether(items: DetailValues[], kitId?: number) {
      form.getInputNode('product_id')?.focus();
      return put(items, kitId);
    },
    send: () => dispatch(sendWaiting()),
    /** The symbols that wait to be looked up outlive a reload. */
    keepScans: (waiting: string[]) => dispatch(scanned({ sheetId, waiting })),
    scansLeft: () => store.getState().outbox.scans[sheetId] ?? [],
    drop({ key, status }: OutboxLine) {
      if (status === 'setAside') dispatch(dropped({ key }));
      else dispatch(discard(key));
    },
    /** Sends one that was set aside or asked about, as it is; what was asked is gone past. */
    release({ key, status, items, kitId }: OutboxLine) {
      if (status === 'setAside') dispatch(dropped({ key }));
      const corrected = status === 'refused' ? key : null;
      put(
        items.map((values) => ({
          ...values,
          acknowledged: [...new Set([...values.acknowledged, ...values.asked.map(({ code }) => code)])],
          corrects: corrected ?? values.corrects,
        })),
        kitId ?? undefined,
      );
    },
    correct,
    abandon: () => dispatch(abandoned({ sheetId })),
  };
}

export type SheetOutbox = ReturnType<typeof useSheetOutbox>;
