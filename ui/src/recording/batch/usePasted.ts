import { useEffect, useEffectEvent, useState } from 'react';
import { generatedApi, type ProductLookupView } from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { toProblem } from '@/api/problem';
import { serverNow } from '@/api/serverClock';
import { readDecimal } from '@/i18n/decimal';
import { caseFold } from '@/i18n/fold';
import { useFormat } from '@/i18n/useFormat';
import type { DetailValues } from '@/outbox/outboxSlice';
import { lookUp } from '@/scan/lookUp';
import { showProblem } from '@/shared/forms/useSubmit';
import { type AppDispatch, useAppDispatch } from '@/state/storeHooks';
import { isWholeSymbol } from '@/symbols/codes';
import { IMPLANT_INCOMPLETE } from '@/topics/sheets/lines/questions';
import { getQuestions, recallOf } from '../scanning/lineChecks';
import type { Recorder } from '../scanning/recorderState';
import { scannedAlone } from '../scanning/scannedAlone';
import { useQuestionTexts } from '../scanning/useQuestionTexts';
import type { BatchProduct, DetailsBatch, Item } from './items';

/** How many codes are looked up in parallel. */
const AT_ONCE = 4;

/**
 * Look up the products of pasted rows, in order, by code or else by name.
 *
 * A symbol keeps its pack data, and asks what it would ask as a scan.
 * Rows without a product are listed and skipped.
 */
export function usePasted(
  batch: DetailsBatch,
  { sheetId, recorder }: { sheetId: number; recorder: Recorder },
  onFound: (items: Item[]) => void,
) {
  const format = useFormat();
  const describe = useQuestionTexts();
  const dispatch = useAppDispatch();
  const [unknown, setUnknown] = useState<string[]>([]);
  const [looking, setLooking] = useState(0);
  const rows = batch.kind === 'rows' ? batch.rows : null;
  const found = useEffectEvent(onFound);
  /** Return the line that the recorder would make of a symbol, and what it would ask. */
  const asLine = useEffectEvent((scan: { raw: string; answer: ProductLookupView }) => {
    const at = serverNow().toISOString();
    const now = { at, today: format.dayOf(at) };
    const [row] = scannedAlone('pasted', [scan], { sheetId, by: recorder, now }).rows;
    return row?.kind === 'line'
      ? { values: row.values, questions: getQuestions(row.values, now.today) }
      : undefined;
  });
  const itemOf = useEffectEvent(
    (values: DetailValues, questions: string[], quantity: string | null): Item => {
      const { product, gtin, lot, expiry, serial } = values;
      const asked = questions.filter((code) => code !== IMPLANT_INCOMPLETE);
      const texts = describe(values, asked).map(({ text }) => text);
      return {
        product: product as BatchProduct,
        quantity: quantity === '' ? values.quantity : amountOf(quantity),
        ticked: true,
        pack: { gtin, lot, expiry, serial },
        inputMethod: 'scan',
        asked,
        recallId: recallOf(values),
        wrong: texts.join(' ') || undefined,
      };
    },
  );
  useEffect(() => {
    let over = false;
    async function look(those: NonNullable<typeof rows>) {
      const items: Item[] = [];
      const missing: string[] = [];
      for (let from = 0; from < those.length && !over; from += AT_ONCE) {
        setLooking(those.length - from);
        const some = those.slice(from, from + AT_ONCE);
        const answers = await Promise.all(some.map(({ texts }) => findProduct(dispatch, texts)));
        const failed = answers.find(({ error }) => error);
        if (failed && !over) showProblem(toProblem(failed.error));
        for (const [at, { product, scan }] of answers.entries()) {
          const { texts = [], quantity = '' } = some[at] ?? {};
          const scanned = scan && asLine(scan);
          if (scanned) items.push(itemOf(scanned.values, scanned.questions, quantity));
          else if (product) items.push({ product, quantity: amountOf(quantity), ticked: product.active });
          else missing.push(texts[0] ?? '');
        }
      }
      if (over) return;
      setLooking(0);
      setUnknown(missing);
      found(items);
    }
    if (rows) look(rows);
    return () => {
      over = true;
    };
  }, [rows, dispatch]);
  return { unknown, looking };
}

/** What is known of a row: the only product with its text, or the answer to its symbol. */
interface Found {
  product?: BatchProduct;
  scan?: { raw: string; answer: ProductLookupView };
  error?: unknown;
}

/** Look up a symbol as a scan; or else find the only product that has one of the texts as its code or its name. */
async function findProduct(dispatch: AppDispatch, texts: string[]): Promise<Found> {
  const { listProducts } = generatedApi.endpoints;
  const once = { subscribe: false, forceRefetch: true };
  const raw = texts.find(isWholeSymbol);
  if (raw !== undefined) {
    const { data, error } = await dispatch(lookUp({ scan: raw, onlyTried: true }));
    return data ? { scan: { raw, answer: data } } : { error };
  }
  for (const text of texts) {
    const { data, error } = await dispatch(lookUp({ text }));
    if (error || data?.matches.length === 1) return { product: data?.matches[0]?.product, error };
  }
  for (const text of texts) {
    const { data, error } = await dispatch(listProducts.initiate({ name: text, limit: OPTIONS_LIMIT }, once));
    const named = data?.items.filter(({ name }) => caseFold(name) === caseFold(text)) ?? [];
    if (error || named.length === 1) return { product: named[0], error };
  }
  return {};
}

const amountOf = (text: string | null) => (text === '' ? 1 : text && readDecimal(text));
