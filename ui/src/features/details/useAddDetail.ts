import { useEffect, useRef, useState } from 'react';
import { type DetailView, useAddSheetDetailMutation } from '@/api/generated';
import type { Problem } from '@/api/problem';
import { newKey, putAtFields, useSubmit } from '@/components/useSubmit';
import { clearForNext, type DetailForm, type DetailValues, isBegun } from './useDetailForm';

/** What a person recorded, from the moment they pressed Enter until the list shows it. */
export interface Entry {
  /** Its idempotency key: however often it is sent, it is recorded once. */
  key: string;
  values: DetailValues;
  /** The server's answer, once it is recorded. */
  detail?: DetailView;
  /** Why the server refused it. */
  refusal?: string;
}

/**
 * Records details one after the other in the order in which they were entered, while the form is free for the next one.
 * A refused one goes back into the form with its messages, or waits beside the list while the form is in use.
 * Without an answer all wait: `retry` goes on where it stopped, with the same keys. What is recorded stays among the
 * entries until it is `listed`, so that nothing vanishes while the list is read again.
 */
export function useAddDetail(sheetId: number, form: DetailForm, listed: DetailView[] | undefined) {
  const [addSheetDetail] = useAddSheetDetailMutation();
  const { submit } = useSubmit();
  const [entries, setEntries] = useState<Entry[]>([]);
  const [recorded, setRecorded] = useState<DetailView[]>([]);
  const [stopped, setStopped] = useState(false);
  const latest = useRef(entries);
  const sending = useRef(false);

  function change(next: Entry[]) {
    latest.current = next;
    setEntries(next);
  }
  const replace = (entry: Entry, news: Partial<Entry>) =>
    change(latest.current.map((one) => (one.key === entry.key ? { ...one, ...news } : one)));
  const drop = (entry: Entry) => change(latest.current.filter(({ key }) => key !== entry.key));

  async function send() {
    if (sending.current) return;
    sending.current = true;
    setStopped(false);
    let answered = true;
    while (answered) {
      const entry = latest.current.find(({ detail, refusal }) => !detail && refusal === undefined);
      if (!entry) break;
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
        onProblem: (met) => {
          problem = met;
          return false;
        },
      },
    );
    if (answer.ok) {
      replace(entry, { detail: answer.data });
      setRecorded((before) => [...before, answer.data]);
    } else if (problem?.status === 422) refuse(entry, problem);
    // A refusal that names no field is about the sheet, and so about all that follow.
    return answer.ok || (problem?.status === 422 && problem.messages.every(({ field }) => field !== null));
  }

  function refuse(entry: Entry, problem: Problem) {
    const atFields = problem.messages.some(({ field }) => field !== null);
    if (atFields && !isBegun(form)) {
      drop(entry);
      form.setValues(entry.values);
      putAtFields(form, problem);
    } else {
      replace(entry, { refusal: problem.messages.map(({ text }) => text).join(' ') });
    }
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

  const unrecorded = entries.filter(({ detail }) => !detail);
  const leaving = unrecorded.length > 0;
  useEffect(() => {
    if (!leaving) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [leaving]);

  return {
    /** Oldest first. */
    entries,
    unrecorded,
    /** All that were recorded in this visit. */
    recorded,
    stopped,
    retry: send,
    drop,
    add(values: DetailValues) {
      change([...latest.current, { key: newKey(), values }]);
      clearForNext(form);
      if (!stopped) send();
    },
    /** Back into the form; what had been begun there takes its place. */
    correct(entry: Entry) {
      const begun = form.getValues();
      if (begun.product) replace(entry, { key: newKey(), values: begun, refusal: '' });
      else drop(entry);
      form.setValues(entry.values);
      form.getInputNode('quantity')?.focus();
    },
  };
}

export type AddingDetails = ReturnType<typeof useAddDetail>;
