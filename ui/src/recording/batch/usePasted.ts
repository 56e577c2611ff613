import { useEffect, useEffectEvent, useState } from 'react';
import { generatedApi } from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { toProblem } from '@/api/problem';
import { readDecimal } from '@/i18n/decimal';
import { caseFold } from '@/i18n/fold';
import { lookUp } from '@/scan/lookUp';
import { showProblem } from '@/shared/forms/useSubmit';
import { type AppDispatch, useAppDispatch } from '@/state/storeHooks';
import type { BatchProduct, DetailsBatch, Item } from './items';

/** How many codes are looked up in parallel. */
const AT_ONCE = 4;

/**
 * Look up the products of pasted rows, in order, by code or else by name.
 *
 * Rows without a product are listed and skipped.
 */
export function usePasted(batch: DetailsBatch, onFound: (items: Item[]) => void) {
  const dispatch = useAppDispatch();
  const [unknown, setUnknown] = useState<string[]>([]);
  const [looking, setLooking] = useState(0);
  const rows = batch.kind === 'rows' ? batch.rows : null;
  const found = useEffectEvent(onFound);
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
        for (const [at, { product }] of answers.entries()) {
          const { texts = [], quantity = '' } = some[at] ?? {};
          if (product) items.push({ product, quantity: amountOf(quantity), ticked: product.active });
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

/** Find the only product that has one of these texts as its code, or else as its name. */
async function findProduct(
  dispatch: AppDispatch,
  texts: string[],
): Promise<{ product?: BatchProduct; error?: unknown }> {
  const { listProducts } = generatedApi.endpoints;
  const once = { subscribe: false, forceRefetch: true };
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
