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

/** Return whether each word of the text stands in the product's name. */
export function isProductNamed({ name }: Pick<ProductView, 'name'>, text: string) {
  const folded = foldProduct(name);
  return productWords(text).every((word) => folded.includes(word));
}

/** Return whether the product's name begins with the text. */
export const productBegins = ({ name }: Pick<ProductView, 'name'>, text: string) =>
  foldProduct(name).startsWith(productWords(text).join(' '));

/** Whether only a part of its code is what was typed: the product whose code was typed wrongly may be another one. */
export function isPartOfCode(product: Pick<ProductView, 'name' | 'code'>, text: string) {
  const [own, part] = [foldCode(product.code ?? ''), foldCode(text)];
  return part !== '' && own !== part && own.includes(part) && !isProductNamed(product, text);
}

/** What tells products of the same name apart. */
export function ProductNote({ product: { code, unit, price } }: { product: ProductView }) {
  const format = useFormat();
  return <span>{[code, unit, price !== undefined && format.money(price)].filter(Boolean).join(' · ')}</span>;
}

/** The same without what it costs, where that would be read as part of something else. */
export const codeAndUnit = ({ code, unit }: ProductView) => [code, unit].filter(Boolean).join(' · ');
