import { createContext, use, useMemo } from 'react';
import { type KitView, type ProductView, useListKitsQuery, useListProductsQuery } from '@/api/generated';
import { useFirstInteraction } from '@/components/useFirstInteraction';
import type { Decimal } from '@/i18n/decimal';
import { foldText } from '@/i18n/foldText';
import { hasWhole, parseQuantity, type QuantityInterpretation } from './parseQuantity';

/** What the bar suggests: what Enter would take, with how much of it. */
export interface Suggestion {
  /** The product's own, or its negative where the text said how much: both may stand in one list. */
  id: number;
  /** Null where it is a kit. */
  product: ProductView | null;
  kit?: KitView;
  quantity?: Decimal;
  unit?: string;
  /** What found it. */
  words?: string;
}

/** The area whose kits are offered, besides those of the whole hospital and one's own. */
export const AreaContext = createContext(0);

const AT_MOST = 20;
/** Above all ids of products. */
const KITS = 1e12;

/** What the text may mean, each interpretation with what it finds: the likeliest first. */
export function useProductSuggestions(text: string | undefined, skip: boolean) {
  const areaId = use(AreaContext);
  const interpretations = useMemo(() => parseQuantity(text ?? ''), [text]);
  const [first, second] = interpretations;
  const found = useFound(first, skip || !text);
  const other = useFound(second, skip || !text || second === undefined);
  // Few, and asked for once, before anything is searched: they are found here.
  const kits = useListKitsQuery({ areaId, limit: 100 }, { skip: !useFirstInteraction() });
  const currentData = useMemo(() => {
    if (!found.currentData || kits.isLoading || (second && !other.currentData && !other.isError))
      return undefined;
    const words = foldText(text ?? '').split(/\s+/);
    const named = (kits.data?.items ?? []).filter(({ name }) =>
      words.every((word) => foldText(name).includes(word)),
    );
    const suggestions: Suggestion[] = [
      ...suggestionsOf(first, found.currentData.items),
      ...suggestionsOf(second, other.currentData?.items),
    ];
    // Beneath the first product, which Enter takes as ever.
    suggestions.splice(1, 0, ...named.map((kit) => ({ id: KITS + kit.id, product: null, kit })));
    const left = found.currentData.meta.total - found.currentData.items.length;
    return {
      items: suggestions,
      nearest: suggestionsOf(undefined, found.currentData.nearest),
      meta: { total: suggestions.length + left },
    };
  }, [found.currentData, other.currentData, other.isError, first, second, kits.data, kits.isLoading, text]);
  return { currentData, isError: found.isError };
}

const useFound = (interpretation: QuantityInterpretation | undefined, skip: boolean) =>
  useListProductsQuery({ name: interpretation?.words, active: true, limit: AT_MOST }, { skip });

export const suggestionOf = (product: ProductView): Suggestion => ({ id: product.id, product });

function suggestionsOf(
  interpretation: QuantityInterpretation | undefined,
  products: ProductView[] = [],
): Suggestion[] {
  const { quantity, unit, words, whole } = interpretation ?? {};
  return products
    .filter(({ name }) => !whole || hasWhole(name, whole))
    .map((product) =>
      quantity === undefined
        ? { ...suggestionOf(product), words }
        : { id: -product.id, product, quantity, unit, words },
    );
}
