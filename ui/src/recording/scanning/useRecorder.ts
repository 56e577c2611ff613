import { useCallbackRef } from '@mantine/hooks';
import { use, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useNoteUnlistedItemMutation, useSetAsideRecalledMutation } from '@/api/generated';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import { toProblem } from '@/api/problem';
import { serverNow } from '@/api/serverClock';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { addOpenLines } from '@/outbox/openLines';
import type { DetailValues } from '@/outbox/outboxSlice';
import type { Entry } from '@/scan/queue';
import { QueueContext, ScannerContext, useScanPage } from '@/scan/scanPages';
import { giveSignal } from '@/scan/signals';
import { fromStored, isStoredScan, toStored } from '@/scan/storedScans';
import { useSession } from '@/session/session';
import { showProblem } from '@/shared/forms/useSubmit';
import { toast } from '@/shared/ui/toast';
import { useAppDispatch } from '@/state/storeHooks';
import { asPractice, PracticeContext } from '../common/practiceContext';
import { eventOf, type HandLine } from './entryEvent';
import { canBeRecorded, freshLine, getQuestions, isClear, openRows, recallOf } from './lineChecks';
import { lookUpPack } from './lookUpPack';
import { reduceRecorder } from './recorder';
import {
  askedPerson,
  asStored,
  type Effect,
  type LineRow,
  type Recorder,
  type RecorderEvent,
  type RecorderState,
  type Row,
  type StoredRow,
} from './recorderState';

interface Props {
  sheetId: number;
  /** The patient's room. */
  roomId: number | undefined;
  /** The patient's name and room. */
  patient: string | undefined;
  isOn: boolean;
  /** Whether the sheet and its area are known: before that, scans wait. */
  isReady: boolean;
  /** As whom, where and when scanned items are used. */
  by: () => Recorder;
  /** Empty the record bar for a scan, and return its draft. */
  takeInHand: () => { values: DetailValues; isAssumed: boolean } | null;
  /** Store the entry of a line, and then send `stored`. */
  onRecord: (key: string, values: DetailValues) => Promise<void>;
  /** Store the rows that are not recorded yet. */
  onChange: (rows: StoredRow[]) => void;
  /** See `ScanPage`. */
  keepLine: () => (() => boolean) | undefined;
  otherMeaning?: (code: string) => { label: string; run: () => void } | undefined;
  focus?: () => void;
  /** Offer the lines of a kit whose label was scanned. */
  onKit?: (kitId: number) => void;
}

/** Run the recorder of one sheet: the pure reducer and its side effects. */
export function useRecorder({
  sheetId,
  roomId,
  patient,
  isOn,
  isReady,
  by,
  takeInHand,
  keepLine,
  onRecord,
  onChange,
  otherMeaning,
  focus,
  onKit,
}: Props) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const scanner = use(ScannerContext);
  const { entries } = use(QueueContext);
  const format = useFormat();
  const t = useText();
  const { locked, user } = useSession();
  const [noteItem] = useNoteUnlistedItemMutation();
  const [setAside] = useSetAsideRecalledMutation();
  const practice = use(PracticeContext);
  /** While practising, unknown codes are not noted. */
  const onlyTried = practice ? true : undefined;
  const [state, setState] = useState<RecorderState>({ sheetId, rows: [] });
  const latest = useRef(state);
  const records = useRef<Promise<unknown>>(Promise.resolve());
  const isSignedIn = useRef(true);
  isSignedIn.current = user !== null;

  /** The queue's entries for this sheet. */
  const waiting = useRef<Entry[]>([]);
  const store = () => onChange([...latest.current.rows.flatMap(asStored), ...waiting.current.map(toStored)]);

  const send = useCallbackRef((event: RecorderEvent) => {
    const at = serverNow().toISOString();
    const { state: next, effects } = reduceRecorder(latest.current, event, { at, today: format.dayOf(at) });
    const isChanged = next.rows !== latest.current.rows;
    latest.current = next;
    if (isChanged) {
      setState(next);
      store();
      // A question about the patient may have been asked or answered.
      scanner.onChange();
    }
    for (const effect of effects) run(effect);
  });

  function run(effect: Effect) {
    switch (effect.do) {
      case 'recheck':
        return void revalidate(effect.key, effect.values);
      case 'record':
        records.current = Promise.all([records.current, onRecord(effect.key, effect.values)]);
        return;
      case 'note':
        return void note(effect.row);
      case 'setAside':
        return void storeSetAside(effect.row);
      case 'signal':
        return giveSignal(effect.signal);
      case 'focus':
        return focusPart(effect.key, effect.part);
      case 'openKit':
        return onKit?.(effect.kitId);
      case 'openForm':
        return void navigate(`/consumption-sheets/forms/${effect.number}`);
      case 'openSheet':
        return scanner.goTo(effect, effect.visit);
      case 'dismiss':
        return scanner.dismiss({ sheetId: null, person: effect.person }, effect.visit);
    }
  }

  /** Note an unlisted item; the idempotency key makes retries safe. */
  async function note({ key, description, quantity, by: recorder }: Extract<Row, { kind: 'note' }>) {
    if (practice) {
      practice.note();
      return send({ type: 'noteArrived', key });
    }
    const { error } = await noteItem({
      sheetId,
      'Idempotency-Key': key,
      unlistedItemDraft: {
        description,
        quantity,
        staff_id: recorder.staff_id ?? undefined,
        area_id: recorder.area_id ?? undefined,
        use_reason: recorder.use_reason || undefined,
        occurred_at: recorder.used_at ?? undefined,
        acknowledged: [],
      },
    });
    if (!error) return send({ type: 'noteArrived', key });
    send({ type: 'noteFailed', key });
    const problem = toProblem(error);
    if (problem.status === 422) showProblem(problem);
  }

  /** Store units that were set aside; the idempotency key makes retries safe. */
  async function storeSetAside({ key, unit }: Extract<Row, { kind: 'setAside' }>) {
    const { recallId, quantity, lot, roomId: room, areaId } = unit;
    if (practice) return send({ type: 'setAsideArrived', key });
    const { error } = await setAside({
      recallId,
      'Idempotency-Key': key,
      setAsideDraft: { quantity, lot: lot ?? undefined, room_id: room, area_id: areaId ?? undefined },
    });
    if (error) {
      send({ type: 'setAsideFailed', key });
      const problem = toProblem(error);
      if (problem.status === 422) showProblem(problem);
      return;
    }
    send({ type: 'setAsideArrived', key });
    toast.success(t('scan.setAsideDone', { what: format.counted(quantity, unit.product) }));
  }

  /**
   * Check the line's present pack data on the server.
   *
   * The server checks again when the line is recorded.
   */
  async function revalidate(key: string, values: DetailValues) {
    const told = await dispatch(lookUpPack(values, onlyTried));
    if (told) send({ type: 'rechecked', key, pack: values, told });
  }

  useScanPage(
    {
      sheetId,
      isReady,
      patient,
      notesUnknown: !practice,
      begin() {
        const recorder = by();
        const line = takeInHand();
        const used_at = recorder.used_at ?? serverNow().toISOString();
        return {
          line: line ? ({ ...line, isPutAside: true } satisfies HandLine) : undefined,
          context: isReady ? { ...recorder, used_at } : null,
        };
      },
      prepare: practice ? asPractice : undefined,
      onScan: (entry) => send(eventOf(entry, by)),
      onLine: (entry) => send(eventOf(entry, by)),
      onQueue(queued) {
        waiting.current = queued;
        store();
      },
      takeBack: (key) => send({ type: 'removed', key }),
      asksPatient: () => latest.current.rows.some((row) => askedPerson(row) !== undefined),
      otherMeaning,
      keepLine,
      focus,
    },
    isOn,
  );

  const looking = useMemo(() => entries.filter((entry) => entry.sheetId === sheetId), [entries, sheetId]);
  const isUnanswered =
    looking.some(({ isFailed }) => isFailed) ||
    state.rows.some((row) => (row.kind === 'note' || row.kind === 'setAside') && row.isFailed);
  const retry = useCallback(() => {
    send({ type: 'retried' });
    scanner.retry();
  }, [send, scanner]);
  useEffect(() => {
    if (!isUnanswered) return;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [isUnanswered, retry]);

  useEffect(() => {
    if (locked) send({ type: 'left' });
  }, [locked, send]);

  const leave = useCallbackRef(() => {
    send({ type: 'left' });
    return records.current;
  });
  useEffect(() => addOpenLines(leave), [leave]);
  const onUnmount = useEffectEvent(() => {
    // After a sign-out, the line stays in the drafts of the same person.
    if (isSignedIn.current) leave();
  });
  useEffect(() => () => onUnmount(), []);

  return useMemo(() => {
    const today = format.dayOf(serverNow());
    const lines = state.rows.filter((row): row is LineRow => row.kind === 'line');
    const fresh = freshLine(state);
    return {
      rows: state.rows,
      send,
      scan: scanner.scan,
      /** Record a line that was entered by hand, after what was scanned before it. */
      enter: (values: DetailValues) =>
        scanner.enter({ values, isAssumed: false, isPutAside: false } satisfies HandLine),
      /** Restore what was not recorded before a reload. */
      restore(stored: StoredRow[]) {
        send({ type: 'restored', rows: stored.filter((row): row is Row => !isStoredScan(row)) });
        scanner.restore(stored.filter(isStoredScan).map((row) => fromStored(row, sheetId)));
      },
      retry,
      isUnanswered,
      /** Scans that wait for their answer or their turn. */
      looking,
      waiting: looking.length,
      drop: scanner.remove,
      fresh,
      /** Rows that wait for a person and are not recorded automatically. */
      open: openRows(state, today),
      /** The same before React renders the latest state: a wristband leaves the page at once. */
      readOpen: () => openRows(latest.current, today),
      /** The same for scans that wait. */
      readLooking: () => waiting.current,
      questionsOf: (values: DetailValues) => getQuestions(values, today),
      isClear: (row: LineRow) => isClear(row, today),
      /** Set the recalled units of a line aside, in place of the row `lineKey`; once for each idempotency key. */
      setAside(values: DetailValues, lineKey?: string, key: string = newIdempotencyKey()) {
        const recallId = recallOf(values);
        if (recallId === undefined || typeof values.quantity !== 'number') return;
        send({
          type: 'setAside',
          key,
          lineKey,
          unit: {
            recallId,
            product: values.product?.name ?? '',
            quantity: values.quantity,
            lot: values.lot,
            roomId,
            areaId: values.area_id,
          },
        });
      },
      /** Record all complete lines and acknowledge their questions, except recalls. */
      releaseAll() {
        for (const { key, values } of lines) if (canBeRecorded(values)) send({ type: 'released', key });
      },
      /** Remove the line that is not recorded yet; false if there is none. */
      undo() {
        if (!fresh) return false;
        send({ type: 'removed', key: fresh.key });
        return true;
      },
    };
  }, [state, send, scanner, retry, isUnanswered, looking, format, roomId, sheetId]);
}

export type RecorderControl = ReturnType<typeof useRecorder>;

/** Focus a part's field after it is rendered. */
export function focusPart(key: string, part: string) {
  window.setTimeout(() =>
    document.querySelector<HTMLInputElement>(`[data-row="${CSS.escape(key)}"] [data-part=${part}]`)?.focus(),
  );
}
