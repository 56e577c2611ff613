import { useEffect, useEffectEvent, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { etag } from '@/api/etag';
import { type DetailView, useDeleteDetailMutation } from '@/api/generated';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { giveSignal } from '@/scan/signals';
import { useSubmit } from '@/shared/forms/useSubmit';
import { toast } from '@/shared/ui/toast';
import { useAppDispatch, useAppSelector } from '@/state/storeHooks';
import type { Reasons } from '@/topics/sheets/lines/questions';
import type { DetailsBatch } from '../batch/items';
import '@/outbox/draftsListener';
import { recallDrafts } from '@/outbox/drafts';
import { MAX_ENTRIES, OutboxFull } from '@/outbox/entries';
import {
  abandoned,
  activityOf,
  changedByOther,
  type DetailValues,
  isBatch,
  isUnsent,
  isWaiting,
  listed,
  noticed,
  type OutboxLine,
  opened,
  repeatMeant,
  rowsChanged,
  type SheetActivity,
  typed,
  undone,
} from '@/outbox/outboxSlice';
import { flushOutbox } from '@/outbox/sending';
import { enqueue, type Given, takeBack } from '@/outbox/thunks';
import { useSession } from '@/session/session';
import { noteWay } from '../common/waysDone';
import { type DetailForm, hasDraft, valuesOf } from '../record-bar/useDetailForm';
import type { StoredRow } from '../scanning/recorderState';
import type { RecorderControl } from '../scanning/useRecorder';

/** Several lines that are undone at once are one message. */
const UNDOING = { series: 'undoing' };

/** One user's entries on one sheet, and the changes while the page is open. */
export interface SheetOutboxState extends SheetActivity {
  /** Entries on the device, recorded but not listed yet, or set aside. */
  lines: OutboxLine[];
  /** Since when the server has not answered. */
  unreachableSince: string | null;
  /** Whether sending is stopped. */
  isStopped: boolean;
}

interface Props {
  sheetId: number;
  form: DetailForm;
  details: DetailView[] | undefined;
  recorder: RecorderControl;
  onTakenOff: (detailId: number) => void;
  onBatch: (batch: DetailsBatch) => void;
}

/**
 * Record details through the outbox.
 *
 * They are first stored on the device, and then sent. Recorded entries stay among the lines until the list contains
 * them, so that no line vanishes during a refetch.
 */
export function useSheetOutbox({ sheetId, form, details, recorder, onTakenOff, onBatch }: Props) {
  const t = useText();
  const format = useFormat();
  const dispatch = useAppDispatch();
  const userId = useSession().user?.id ?? 0;
  const all = useAppSelector((state) => state.outbox.lines);
  const unreachableSince = useAppSelector((state) => state.outbox.unreachableSince);
  const isBlocked = useAppSelector((state) => state.outbox.isHeldUp);
  const activity = useAppSelector((state) => activityOf(state, sheetId));
  const { rows, send } = recorder;
  const restore = useEffectEvent((stored: StoredRow[]) => recorder.restore(stored));
  const state = useMemo<SheetOutboxState>(() => {
    const inRows = new Set(
      rows.flatMap((row) => (row.kind === 'line' ? [row.key, row.values.corrects] : [])),
    );
    return {
      ...activity,
      lines: all.filter((line) => line.sheetId === sheetId && !inRows.has(line.key)),
      unreachableSince,
      isStopped: unreachableSince !== null || isBlocked,
    };
  }, [activity, all, sheetId, rows, unreachableSince, isBlocked]);
  const { lines, acts, told } = state;
  const onUndone = useEffectEvent(({ quantity, product }: NonNullable<typeof told>) =>
    toast.success(t('details.undoneOf', { what: format.counted(quantity, product) }), UNDOING),
  );
  useEffect(() => {
    if (told?.what === 'undone') onUndone(told);
  }, [told]);
  const waitingLast = lines.filter((line) => isWaiting(line) && !line.isUndone).at(-1);
  const [deleteDetail] = useDeleteDetailMutation();
  const { submit } = useSubmit();

  // Drafts of an earlier visit are restored; the present one is stored while it is typed.
  const { setValues } = form;
  useEffect(() => {
    const drafts = recallDrafts(userId, sheetId);
    dispatch(opened({ sheetId, drafts }));
    // What an area used it for is forgotten with the visit.
    if (drafts.begun) setValues(({ use_reason }) => ({ ...drafts.begun, use_reason }));
    if (drafts.rows.length > 0) restore(drafts.rows as StoredRow[]);
    dispatch(flushOutbox());
  }, [dispatch, userId, sheetId, setValues]);
  const onTyped = useEffectEvent(() => {
    const values = valuesOf(form);
    dispatch(typed({ sheetId, values: values.product && values }));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each change of the values.
  useEffect(() => onTyped(), [form.values]);

  useEffect(() => {
    if (details) dispatch(listed({ sheetId, ids: details.map(({ id }) => id) }));
  }, [dispatch, sheetId, details]);

  /**
   * Open a refused batch in its drawer.
   *
   * A single refused line is shown above the list.
   */
  const onRefused = useEffectEvent((line: OutboxLine) => {
    dispatch(noticed({ key: line.key }));
    giveSignal('asked');
    if (isBatch(line) && !hasDraft(form)) onBatch({ kind: 'entry', line });
  });
  const justRefused = lines.find(({ status, mine }) => status === 'refused' && mine);
  useEffect(() => {
    if (justRefused) onRefused(justRefused);
  }, [justRefused]);

  const onTogether = useEffectEvent(({ key, details: together }: OutboxLine) => {
    dispatch(noticed({ key }));
    toast.success(t('batch.recorded', { count: together.length }), {
      autoClose: 15_000,
      action: {
        label: t('details.undo'),
        run: () => takeOffAll(together),
      },
    });
  });
  const together = lines.find((one) => one.status === 'recorded' && isBatch(one) && one.mine);
  useEffect(() => {
    if (together) onTogether(together);
  }, [together]);

  // The list of unsent entries links here to correct one.
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

  // A row from before a crash, or from an earlier visit of the page, may turn out to be recorded.
  const recordedKey = rows.find(({ key }) => all.some((line) => line.key === key))?.key;
  useEffect(() => {
    if (recordedKey) send({ type: 'stored', key: recordedKey });
  }, [recordedKey, send]);

  /**
   * Store entries on the device and send them.
   *
   * If the device has no room, they stay open above the list.
   */
  async function put(given: Omit<Given, 'sheetId'>) {
    try {
      await dispatch(enqueue({ sheetId, ...given }));
    } catch (error) {
      if (!(error instanceof OutboxFull)) throw error;
      toast.error(t('outbox.full', { most: MAX_ENTRIES }), { autoClose: false });
      for (const values of given.items)
        send({ type: 'putAside', key: newIdempotencyKey(), values, isAssumed: true });
      given.onStored?.();
    }
    dispatch(flushOutbox());
  }

  /**
   * Undo the latest act.
   *
   * It is an unrecorded line, an unsent entry, or all lines recorded at once.
   */
  async function undo() {
    if (recorder.undo()) return;
    if (waitingLast) return dispatch(takeBack(waitingLast.key));
    await takeOffAll(acts.at(-1) ?? []);
  }

  async function takeOffAll(details: DetailView[]) {
    let count = 0;
    for (const detail of details) if (await takeOff(detail)) count += 1;
    if (count > 1) toast.success(t('details.undoneSome', { count }), UNDOING);
  }

  /** Void a detail; true if it is off the sheet. */
  async function takeOff(detail: DetailView) {
    const done = await submit(() => deleteDetail({ detailId: detail.id, 'If-Match': etag(detail) }), {
      onProblem: ({ status }) => {
        if (status !== 404 && status !== 412) return false;
        toast.error(t(status === 404 ? 'details.gone' : 'details.changed'));
        dispatch(changedByOther({ sheetId, detailId: detail.id }));
        return true;
      },
    });
    if (!done.ok) return false;
    onTakenOff(detail.id);
    dispatch(undone({ sheetId, detail }));
    return true;
  }

  /** Void a possible duplicate, or confirm it as intended. */
  async function answerRepeat(detailId: number, isMeant: boolean) {
    const repeated = acts.flat().find(({ id }) => id === detailId);
    if (repeated && !isMeant) await takeOff(repeated);
    else dispatch(repeatMeant({ sheetId, detailId }));
    form.getInputNode('product_id')?.focus();
  }

  /** Reopen an entry above the list, or a batch in its drawer. */
  function correct(line: OutboxLine) {
    const [values] = line.items;
    if (!values) return;
    if (isBatch(line)) return onBatch({ kind: 'entry', line });
    send({
      type: 'putAside',
      key: newIdempotencyKey(),
      values: { ...values, corrects: line.key },
      isAssumed: true,
    });
  }

  return {
    state,
    /** Entries on the device that are not recorded. */
    unrecorded: lines.filter(isUnsent),
    undo,
    takeOff,
    answerRepeat,
    /** Whether there is something to undo now. */
    canUndo: recorder.fresh !== undefined || waitingLast !== undefined || acts.length > 0,
    record(key: string, values: DetailValues) {
      noteWay(userId, values.scanned ? 'scan' : 'type');
      return put({ key, items: [values], onStored: () => send({ type: 'stored', key }) });
    },
    /** Record several lines together, such as those of a kit. */
    recordTogether(items: DetailValues[], kitId?: number) {
      form.getInputNode('product_id')?.focus();
      return put({ items, kitId });
    },
    send: () => dispatch(flushOutbox()),
    drop: ({ key }: OutboxLine) => dispatch(takeBack(key)),
    /** Send a refused entry again and acknowledge its questions; some of them need a reason. */
    release({ key, items, kitId }: OutboxLine, reasons?: Reasons) {
      put({
        items: items.map((values) => ({
          ...values,
          acknowledged: [...new Set([...values.acknowledged, ...values.asked.map(({ code }) => code)])],
          ...reasons,
          corrects: key,
        })),
        kitId: kitId ?? undefined,
      });
    },
    correct,
    keepRows: (kept: StoredRow[]) => dispatch(rowsChanged({ sheetId, rows: kept })),
    abandon: () => dispatch(abandoned({ sheetId })),
  };
}

export type SheetOutbox = ReturnType<typeof useSheetOutbox>;
