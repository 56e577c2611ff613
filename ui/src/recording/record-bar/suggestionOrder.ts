import type { KitView, ProductView } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { foldText } from '@/i18n/foldText';
import { isCodeOf, isPartOfCode, isProductNamed, productBegins } from '@/topics/catalogue/productSearch';

/** A suggestion of the record bar: what Enter chooses, and its quantity. */
export interface Suggestion {
  /** The product's id, negative with a quantity, because a list may contain both. */
  id: number;
  /** Null for a kit. */
  product: ProductView | null;
  kit?: KitView;
  quantity?: Decimal;
  unit?: string;
  /** The words that found it. */
  words?: string;
}

/** Return whether all words of the text occur in the kit's name. */
export const isKitNamed = (name: string, text: string) => {
  const folded = foldText(name);
  return foldText(text)
    .split(/\s+/)
    .every((word) => folded.includes(word));
};

const CODE = 0;
const KIT_BEGINS = 1;
const USUAL = 2;
const BEGINS = 3;
const KIT = 4;
const NAMED = 5;
const PART_OF_CODE = 6;

function rankOf({ product, kit }: Suggestion, words: string, usual: ReadonlySet<number>) {
  if (!product) return foldText(kit?.name ?? '').startsWith(foldText(words)) ? KIT_BEGINS : KIT;
  if (isCodeOf(product, words)) return CODE;
  if (isPartOfCode(product, words)) return PART_OF_CODE;
  // Found by another of its codes, or by the code without punctuation.
  if (!isProductNamed(product, words)) return CODE;
  if (usual.has(product.id)) return USUAL;
  return productBegins(product, words) ? BEGINS : NAMED;
}

/**
 * Sort search results for the record bar.
 *
 * The order: exact codes, kits whose names begin with the text, the usual products by their numbers, names that begin
 * with the text, other kits, other names, parts of codes. Items of the same rank keep their order.
 */
export function orderSuggestions(suggestions: Suggestion[], words: string, usual: number[]): Suggestion[] {
  const known = new Set(usual);
  const placeOf = ({ product }: Suggestion) => (product ? usual.indexOf(product.id) : -1);
  return suggestions
    .map((suggestion) => ({ suggestion, rank: rankOf(suggestion, words, known) }))
    .sort(
      (one, other) =>
        one.rank - other.rank ||
        (one.rank === USUAL ? placeOf(one.suggestion) - placeOf(other.suggestion) : 0),
    )
    .map(({ suggestion }) => suggestion);
}

/**
 * Merge the server's answer without moving displayed items.
 *
 * Known items stay in place, and new ones follow.
 */
export function keepPlaces(shown: Suggestion[], answer: Suggestion[]): Suggestion[] {
  const answered = new Map(answer.map((suggestion) => [suggestion.id, suggestion]));
  const kept = shown.map((suggestion) => answered.get(suggestion.id) ?? suggestion);
  const ids = new Set(shown.map(({ id }) => id));
  return [...kept, ...answer.filter(({ id }) => !ids.has(id))];
}
