import { createContext, use, useEffect, useMemo, useState } from 'react';
import { type KitView, type ProductView, useListKitsQuery, useListProductsQuery } from '@/api/generated';
import type { searchAtOnce } from '@/device/catalogue';
import { isOfflineEnabled } from '@/device/isOfflineEnabled';
import type { Typed } from '@/shared/forms/SearchSelect';
import { useFirstInteraction } from '@/shared/ui/useFirstInteraction';
import { isProductNamed } from '@/topics/catalogue/productSearch';
import { containsWord, parseQuantity, type QuantityInterpretation } from './parseQuantity';
import { isKitNamed, keepPlaces, orderSuggestions, type Suggestion } from './suggestionOrder';

/**
 * The area whose kits are offered.
 *
 * The hospital's and the user's own kits are offered too. With 0, the kits of all areas are offered.
 */
export const AreaContext = createContext(0);

const AT_MOST = 20;
/** The offset of kits' ids, above all ids of products. */
const KITS = 1e12;

/**
 * Search products and kits for each interpretation of the text.
 *
 * The most likely interpretation comes first. This device's catalogue answers the typed text at once; the server's
 * answer to the requested text is merged into that.
 */
export function useProductSuggestions(
  asked: string | undefined,
  skip: boolean,
  { text, usual }: Typed<Suggestion>,
) {
  const areaId = use(AreaContext);
  const [askedFirst, askedSecond] = useMemo(() => parseQuantity(asked ?? ''), [asked]);
  const found = useFound(askedFirst, skip || !asked);
  const other = useFound(askedSecond, skip || !asked || askedSecond === undefined);
  const search = useDeviceSearch();
  // There are few kits, so all are loaded once at the first interaction and searched here.
  const kits = useListKitsQuery(
    { areaId: areaId || undefined, limit: 100 },
    { skip: !useFirstInteraction() },
  );
  const known = useMemo(
    () => ({
      kits: kits.data?.items ?? [],
      usual: usual.flatMap(({ product }) => product ?? []),
    }),
    [kits.data, usual],
  );
  const atOnce = useMemo(() => {
    if (!search || !text) return undefined;
    const products = parseQuantity(text).map(({ words }) => search(words, AT_MOST));
    return products.some(({ length }) => length > 0) ? suggestionsFor(text, products, known) : undefined;
  }, [search, text, known]);
  const currentData = useMemo(() => {
    if (!asked || !found.currentData || kits.isLoading) return undefined;
    if (askedSecond && !other.currentData && !other.isError) return undefined;
    const { items: first, meta, nearest } = found.currentData;
    const answer = suggestionsFor(asked, [first, other.currentData?.items ?? []], known);
    const items = asked === text && atOnce ? keepPlaces(atOnce, answer) : answer;
    return {
      items,
      nearest: nearest?.map(suggestionOf),
      meta: { total: items.length + Math.max(0, meta.total - Math.max(first.length, items.length)) },
    };
  }, [
    asked,
    askedSecond,
    found.currentData,
    other.currentData,
    other.isError,
    kits.isLoading,
    known,
    text,
    atOnce,
  ]);
  return { currentData, atOnce, isError: found.isError };
}

/** Load the search of this device's catalogue at the first interaction. */
function useDeviceSearch() {
  const [search, setSearch] = useState<typeof searchAtOnce | null>(null);
  const isNeeded = useFirstInteraction();
  useEffect(() => {
    if (!isNeeded || !isOfflineEnabled()) return;
    let isOver = false;
    import('@/device/catalogue')
      .then(async (device) => {
        await device.loadIndex();
        if (!isOver) setSearch(() => device.searchAtOnce);
      })
      .catch(() => {}); // without it, only the server searches
    return () => {
      isOver = true;
    };
  }, [isNeeded]);
  return search;
}

/**
 * Combine found products with matching kits and usual products.
 *
 * `products` has one list for each interpretation of the text.
 */
function suggestionsFor(
  text: string,
  products: ProductView[][],
  { kits, usual }: { kits: KitView[]; usual: ProductView[] },
): Suggestion[] {
  const ids = usual.map(({ id }) => id);
  return parseQuantity(text).flatMap((interpretation, place) => {
    const { words } = interpretation;
    const found = products[place] ?? [];
    const foundIds = new Set(found.map(({ id }) => id));
    const others = usual.filter((product) => !foundIds.has(product.id) && isProductNamed(product, words));
    const named = place === 0 ? kits.filter(({ name }) => isKitNamed(name, text)) : [];
    const suggestions = [
      ...suggestionsOf(interpretation, [...found, ...others]),
      ...named.map((kit): Suggestion => ({ id: KITS + kit.id, product: null, kit })),
    ];
    return orderSuggestions(suggestions, words, ids);
  });
}

const useFound = (interpretation: QuantityInterpretation | undefined, skip: boolean) =>
  useListProductsQuery({ name: interpretation?.words, active: true, limit: AT_MOST }, { skip });

export const suggestionOf = (product: ProductView): Suggestion => ({ id: product.id, product });

function suggestionsOf(
  { quantity, unit, words, whole }: QuantityInterpretation,
  products: ProductView[],
): Suggestion[] {
  return products
    .filter(({ name }) => !whole || containsWord(name, whole))
    .map((product) =>
      quantity === undefined
        ? { ...suggestionOf(product), words }
        : { id: -product.id, product, quantity, unit, words },
    );
}
