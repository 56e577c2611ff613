import { type ProductView, useListProductsQuery } from '@/api/generated';
import { foldCode, foldProduct, productWords } from '@/device/fold';
import { useFormat } from '@/i18n/useFormat';

/** How long typing must rest before products are searched. */
export const PRODUCT_WAIT = 700;

/** The products that are offered, for a selector. */
export const useProducts = (name: string | undefined, skip: boolean) =>
  useListProductsQuery({ name, active: true, limit: 20 }, { skip });

/** All products, also those that are offered no more. */
export const useAnyProducts = (name: string | undefined, skip: boolean) =>
  useListProductsQuery({ name, limit: 20 }, { skip });

export const isCodeOf = ({ code, gtin }: Partial<Pick<ProductView, 'code' | 'gtin'>>, text: string) =>
  [code, gtin].some((one) => one?.toLowerCase() === text.toLowerCase());

/** Whether only a part of its code is what was typed: the product whose code was typed wrongly may be another one. */
export function isPartOfCode({ name, code }: Pick<ProductView, 'name' | 'code'>, text: string) {
  const [own, part] = [foldCode(code ?? ''), foldCode(text)];
  if (!part || own === part || !own.includes(part)) return false;
  const folded = foldProduct(name);
  return !productWords(text).every((word) => folded.includes(word));
}

/** What tells products of the same name apart. */
export function ProductNote({ product: { code, unit, price } }: { product: ProductView }) {
  const format = useFormat();
  return <span>{[code, unit, price !== undefined && format.money(price)].filter(Boolean).join(' · ')}</span>;
}

/** The same without what it costs, where that would be read as part of something else. */
export const codeAndUnit = ({ code, unit }: ProductView) => [code, unit].filter(Boolean).join(' · ');
