import { useEffect, useRef, useState } from 'react';
import { etag } from '@/api/etag';
import { type DetailView, useAddSheetDetailMutation, useDeleteDetailMutation } from '@/api/generated';
import type { Problem } from '@/api/problem';
import type { Scanned } from '@/components/SearchSelect';
import { newKey, putAtFields, useSubmit } from '@/components/useSubmit';
import { useToast } from '@/components/useToast';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { isCodeOf } from './DetailSelects';
import { keepUnrecorded, recallUnrecorded } from './unrecorded';
import { clearForNext, type DetailForm, type DetailValues, giveBack, isBegun } from './useDetailForm';
import type { OwnChanges } from './useOwnChanges';

/** What a person recorded, from the moment they pressed Enter until the list shows it. */
export interface Entry {
  /** Its idempotency key: however often it is sent, it is recorded once. */
  key: string;
  values: DetailValues;
  /** The server may have it already. */
  sent?: boolean;
  /** The server's answer, once it is recorded. */
  detail?: DetailView;
  /** Why the server refused it; empty when it waits for the person. */
  refusal?: string;
  /** Left over from before a reload or the end of a session: sent when the person says so. */
  kept?: boolean;
}

/** What was recorded here a moment ago, and what was typed for it. */
interface Recorded {
  detail: DetailView;
  values: DetailValues;
}

/**
 * Records details one after the other in the order in which they were entered, while the form is free for the next one.
 * A refused one goes back into the form with its messages, or waits beside the list while the form is in use.
 * Without an answer all wait: `retry` goes on where it stopped, with the same keys. What is recorded stays among the
 * entries until it is `listed`, so that nothing vanishes while the list is read again.
 */
export function useAddDetail(
  sheetId: number,
  form: DetailForm,
  listed: DetailView[] | undefined,
  own: OwnChanges,
) {
  const t = useText();
  const toast = useToast();
  const userId = useSession().user?.id ?? 0;
  const [addSheetDetail] = useAddSheetDetailMutation();
  const [deleteDetail] = useDeleteDetailMutation();
  const { submit } = useSubmit();
  const { submit: submitUndo } = useSubmit();
  const [before] = useState(() => recallUnrecorded(userId, sheetId));
  const [entries, setEntries] = useState<Entry[]>(() =>
    before.entries.map((entry) => (entry.refusal === undefined ? { ...entry, kept: true } : entry)),
  );
  const [scanned, setScanned] = useState<Scanned | null>(null);
  const [recorded, setRecorded] = useState<Recorded[]>([]);
  /** What the person is told of their latest step. */
  const [told, setTold] = useState<{ what: 'recorded' | 'undone'; detail: DetailView } | null>(null);
  const [stopped, setStopped] = useState(false);
  const latest = useRef(entries);
  const sending = useRef(false);
  const left = useRef(false);

  function keep() {
    if (left.current) return;
    const values = form.getValues();
    keepUnrecorded(userId, sheetId, {
      entries: latest.current.filter(({ detail }) => !detail),
      begun: values.product && values,
    });
  }
  const keepNow = useRef(keep);
  keepNow.current = keep;

  function change(next: Entry[]) {
    latest.current = next;
    setEntries(next);
    keep();
  }
  const replace = (entry: Entry, news: Partial<Entry>) =>
    change(latest.current.map((one) => (one.key === entry.key ? { ...one, ...news } : one)));
  const drop = (entry: Entry) => change(latest.current.filter(({ key }) => key !== entry.key));

  async function send() {
    if (sending.current) return;
    sending.current = true;
    setStopped(false);
    let answered = true;
    while (answered && !left.current) {
      const entry = latest.current.find(waits);
      if (!entry) break;
      replace(entry, { sent: true });
      answered = await sendOne(entry);
    }
    setStopped(!answered);
    sending.current = false;
  }

  /** Whether it makes sense to send the next one. */
  async function sendOne(entry: Entry) {
    const { product_id, quantity, staff_id, area_id } = entry.values;
    let problem: Problem | undefined;
    const answer = await submit(
      () =>
        addSheetDetail({
          sheetId,
          'Idempotency-Key': entry.key,
          detailDraft: {
            product_id: product_id as number,
            quantity: quantity as number,
            staff_id: staff_id ?? undefined,
            area_id: area_id ?? undefined,
            consumption_sheet_id: sheetId,
          },
        }),
      {
        success: 'details.created',
        offersRetry: false,
        onProblem: (met) => {
          problem = met;
          return false;
        },
      },
    );
    if (answer.ok) {
      own.recorded.add(answer.data.id);
      replace(entry, { detail: answer.data });
      setRecorded((those) => [...those, { detail: answer.data, values: entry.values }]);
      setTold({ what: 'recorded', detail: answer.data });
    } else if (problem?.status === 422) refuse(entry, problem);
    // A refusal that names no field of this form is about the sheet, and so about all that follow.
    return answer.ok || (problem?.status === 422 && problem.messages.every(isAtField));
  }

  const isAtField = ({ field }: Problem['messages'][number]) => field !== null && field in form.getValues();

  function refuse(entry: Entry, problem: Problem) {
    if (problem.messages.some(isAtField) && !isBegun(form)) {
      form.setValues(entry.values);
      drop(entry);
      putAtFields(form, problem);
    } else {
      replace(entry, { refusal: problem.messages.map(({ text }) => text).join(' ') });
    }
  }

  /** Into the form again, so that nothing has to be typed twice; beside the list while the form is in use. */
  function takeBack(values: DetailValues) {
    if (isBegun(form)) {
      change([...latest.current, { key: newKey(), values, refusal: '' }]);
    } else {
      giveBack(form, values);
    }
  }

  /** Takes back what was recorded last, or what still waits for its turn. */
  async function undo() {
    const waiting = latest.current.filter(waits).at(-1);
    if (waiting) {
      if (waiting.sent) return;
      drop(waiting);
      takeBack(waiting.values);
      return;
    }
    const last = recorded.at(-1);
    if (!last) return;
    const { detail, values } = last;
    const done = await submitUndo(() => deleteDetail({ detailId: detail.id, 'If-Match': etag(detail) }), {
      success: 'details.undone',
      onProblem: ({ status }) => {
        if (status !== 404 && status !== 412) return false;
        toast.error(t(status === 404 ? 'details.gone' : 'details.changed'));
        forget(detail);
        return true;
      },
    });
    if (!done.ok) return;
    own.remove(detail.id);
    forget(detail);
    setTold({ what: 'undone', detail });
    takeBack(values);
  }

  /** No longer to be undone: it is undone, or someone else was at it. */
  function forget({ id }: DetailView) {
    setRecorded((those) => those.filter(({ detail }) => detail.id !== id));
    change(latest.current.filter(({ detail }) => detail?.id !== id));
  }

  const retry = useRef(send);
  retry.current = send;
  useEffect(() => {
    if (!stopped) return;
    const tryAgain = () => retry.current();
    window.addEventListener('online', tryAgain);
    return () => window.removeEventListener('online', tryAgain);
  }, [stopped]);

  useEffect(() => {
    const ids = new Set(listed?.map(({ id }) => id));
    const rest = latest.current.filter(({ detail }) => !detail || !ids.has(detail.id));
    if (rest.length === latest.current.length) return;
    latest.current = rest;
    setEntries(rest);
  }, [listed]);

  // What was begun before comes back; what is begun now is kept as it is typed.
  const { setValues } = form;
  useEffect(() => {
    if (before.begun) setValues(before.begun);
  }, [before, setValues]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever they change.
  useEffect(() => keepNow.current(), [form.values]);

  const unrecorded = entries.filter(({ detail }) => !detail);
  const waitingLast = entries.filter(waits).at(-1);
  return {
    /** Oldest first. */
    entries,
    unrecorded,
    /** All that were recorded in this visit and not undone. */
    recorded,
    told,
    stopped,
    retry: send,
    drop,
    undo,
    /** Whether there is something to undo at this moment. */
    canUndo: waitingLast ? !waitingLast.sent : recorded.length > 0,
    scanned,
    /** The next product, scanned while the focus was on a number. What is in hand waits beside the list. */
    scan(code: string) {
      const values = form.getValues();
      if (values.product && isCodeOf(values.product, code)) return form.getInputNode('quantity')?.focus();
      if (values.product) {
        change([...latest.current, { key: newKey(), values, refusal: '' }]);
        clearForNext(form);
      }
      setScanned({ code, take: true });
    },
    /** Sends one that waits beside the list, as it is. */
    record(entry: Entry) {
      replace(entry, { refusal: undefined });
      if (!stopped) send();
    },
    add(values: DetailValues) {
      clearForNext(form);
      change([...latest.current, { key: newKey(), values }]);
      if (!stopped) send();
    },
    /** Send what was left over, with the keys that it had. */
    recordKept() {
      change(latest.current.map((one) => ({ ...one, kept: false })));
      send();
    },
    /** Back into the form; what had been begun there takes its place. */
    correct(entry: Entry) {
      const begun = form.getValues();
      if (begun.product) replace(entry, { key: newKey(), values: begun, refusal: '' });
      else drop(entry);
      giveBack(form, entry.values);
    },
    /** The person goes, and leaves what is not recorded behind. */
    abandon() {
      keepUnrecorded(userId, sheetId, { entries: [], begun: null });
      left.current = true;
    },
  };
}

/** Whether it is to be sent, or on its way. */
const waits = ({ detail, refusal, kept }: Entry) => !detail && refusal === undefined && !kept;

export type AddingDetails = ReturnType<typeof useAddDetail>;
