import { use, useEffect, useEffectEvent, useRef, useState } from 'react';
import { generatedApi, type ProductLookupView } from '@/api/generated';
import type { DetailValues } from '@/outbox/outboxSlice';
import { lookUp } from '@/scan/lookUp';
import { type AppDispatch, useAppDispatch } from '@/state/storeHooks';
import { asPractice, PracticeContext } from '../common/practiceContext';
import { lookUpPack } from '../scanning/lookUpPack';
import type { Scan } from '../scanning/recorderState';
import type { LookedUpText } from './photoRows';

/** How many codes are looked up in parallel. */
const AT_ONCE = 4;

/** Add the patient of a contingency form, which shows whose packs lie beside it, as a wristband does. */
const withFormOwner = (answer: ProductLookupView) => async (dispatch: AppDispatch) => {
  const formId = answer.label?.form_number;
  if (!formId) return answer;
  const { readForm } = generatedApi.endpoints;
  const { data } = await dispatch(readForm.initiate({ formId }, { subscribe: false, forceRefetch: true }));
  if (!data?.sheet) return data && answer;
  const { id, patient, room } = data.sheet;
  const sheet = { id, admission_date: '', room: { id: 0, name: room } };
  const person = { record_number: null, date_of_birth: null, ...patient, sheet_id: id, sheets: [sheet] };
  return { ...answer, people: [person] };
};

/** Look up each text once, and each pack that must be checked. Nothing is noted before the person records. */
export function useLookups(texts: string[]) {
  const dispatch = useAppDispatch();
  const practice = use(PracticeContext);
  const [answers, setAnswers] = useState<ReadonlyMap<string, LookedUpText>>(new Map());
  const [told, setTold] = useState<ReadonlyMap<string, Scan['told'] | null>>(new Map());
  const asked = useRef(new Set<string>());
  const waiting = useRef<string[]>([]);
  const active = useRef(0);

  async function work() {
    active.current += 1;
    for (let text = waiting.current.shift(); text !== undefined; text = waiting.current.shift()) {
      const { data } = await dispatch(lookUp({ scan: text, onlyTried: true }));
      const known = data && (practice ? asPractice(data) : await dispatch(withFormOwner(data)));
      const answer = known ?? 'failed';
      const is = text;
      setAnswers((all) => new Map(all).set(is, answer));
    }
    active.current -= 1;
  }
  const ask = useEffectEvent((wanted: string[]) => {
    const news = wanted.filter((text) => !asked.current.has(text));
    for (const text of news) asked.current.add(text);
    waiting.current.push(...news);
    for (let one = 0; one < news.length && active.current < AT_ONCE; one++) void work();
  });
  const key = JSON.stringify(texts);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts, whatever list holds them.
  useEffect(() => ask(texts), [key]);

  return {
    answers,
    told,
    /** Ask what the server knows about the pack of a row. */
    async check(row: string, values: DetailValues) {
      const place = JSON.stringify([row, values.lot, values.serial]);
      if (asked.current.has(place)) return;
      asked.current.add(place);
      const found = await dispatch(lookUpPack(values, practice ? true : undefined));
      setTold((all) => new Map(all).set(row, found));
    },
    /** Look up again what got no answer. */
    retry() {
      const failed = [...answers].flatMap(([text, answer]) => (answer === 'failed' ? text : []));
      for (const text of failed) asked.current.delete(text);
      setAnswers((all) => new Map([...all].filter(([, answer]) => answer !== 'failed')));
      ask(failed);
    },
  };
}
