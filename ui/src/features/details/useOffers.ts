import { useMemo } from 'react';
import { type ProductView, useListProductsQuery } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { hasWhole, type Reading, readAmount } from '@/scan/amount';

/** A product as the bar offers it: what Enter would take, with how much of it. */
export interface Offer {
  /** The product's own, or its negative where the text said how much: both may stand in one list. */
  id: number;
  product: ProductView;
  quantity?: Decimal;
  unit?: string;
  /** What found it. */
  words?: string;
}

const AT_MOST = 20;

/** What the text may mean, each reading with what it finds: the likeliest first. */
export function useOffers(text: string | undefined, skip: boolean) {
  const readings = useMemo(() => readAmount(text ?? ''), [text]);
  const [first, second] = readings;
  const found = useFound(first, skip || !text);
  const other = useFound(second, skip || !text || second === undefined);
  const currentData = useMemo(() => {
    if (!found.currentData || (second && !other.currentData && !other.isError)) return undefined;
    const offers = [
      ...offersOf(first, found.currentData.items),
      ...offersOf(second, other.currentData?.items),
    ];
    const left = found.currentData.meta.total - found.currentData.items.length;
    return {
      items: offers,
      nearest: offersOf(undefined, found.currentData.nearest),
      meta: { total: offers.length + left },
    };
  }, [found.currentData, other.currentData, other.isError, first, second]);
  return { currentData, isError: found.isError };
}

const useFound = (reading: Reading | undefined, skip: boolean) =>
  useListProductsQuery({ name: reading?.words, active: true, limit: AT_MOST }, { skip });

export const offerOf = (product: ProductView): Offer => ({ id: product.id, product });

function offersOf(reading: Reading | undefined, products: ProductView[] = []): Offer[] {
  const { quantity, unit, words, whole } = reading ?? {};
  return products
    .filter(({ name }) => !whole || hasWhole(name, whole))
    .map((product) =>
      quantity === undefined
        ? { ...offerOf(product), words }
        : { id: -product.id, product, quantity, unit, words },
    );
}
