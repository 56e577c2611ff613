import { use } from 'react';
import { type ProductView, useListProductsQuery } from '@/api/generated';
import { foldCode, foldProduct, productWords } from '@/device/fold';
import { useFormat } from '@/i18n/useFormat';
import { SearchTextContext } from './searchText';

/** How long typing must rest before products are searched. */
export const PRODUCT_WAIT = 700;

/** The products that are offered, for a selector. */
export const useActiveProducts = (name: string | undefined, skip: boolean) =>
  useListProductsQuery({ name, active: true, limit: 20 }, { skip });

/** All products, also those that are offered no more. */
export const useAllProducts = (name: string | undefined, skip: boolean) =>
  useListProductsQuery({ name, limit: 20 }, { skip });

export const isCodeOf = ({ code, gtin }: Partial<Pick<ProductView, 'code' | 'gtin'>>, text: string) =>
  [code, gtin].some((one) => one?.toLowerCase() === text.toLowerCase());

type Named = Pick<ProductView, 'name'> & Partial<Pick<ProductView, 'also_called'>>;

/** Return whether each word of the text stands in the product's name or in another one of its names. */
export function isProductNamed({ name, also_called = [] }: Named, text: string) {
  const names = [name, ...also_called].map(foldProduct);
  return productWords(text).every((word) => names.some((one) => one.includes(word)));
}

/** Return the other name of the product that has a word of the text which its name lacks. */
export function foundAs({ name, also_called = [] }: Named, text: string) {
  const folded = foldProduct(name);
  const words = productWords(text).filter((word) => !folded.includes(word));
  return also_called.find((other) => words.some((word) => foldProduct(other).includes(word)));
}

/** Return whether the product's name begins with the text. */
export const productBegins = ({ name }: Pick<ProductView, 'name'>, text: string) =>
  foldProduct(name).startsWith(productWords(text).join(' '));

/** Whether only a part of its code is what was typed: the product whose code was typed wrongly may be another one. */
export function isPartOfCode(product: Named & Pick<ProductView, 'code'>, text: string) {
  const [own, part] = [foldCode(product.code ?? ''), foldCode(text)];
  return part !== '' && own !== part && own.includes(part) && !isProductNamed(product, text);
}

/** What tells products of the same name apart, after the other name by which the search found the product. */
export function ProductNote({ product }: { product: ProductView }) {
  const format = useFormat();
  const text = use(SearchTextContext);
  const { code, unit, price } = product;
  const parts = [foundAs(product, text), code, unit, price !== undefined && format.money(price)];
  return <span>{parts.filter(Boolean).join(' · ')}</span>;
}

/** The same without what it costs, where that would be read as part of something else. */
export const codeAndUnit = ({ code, unit }: ProductView) => [code, unit].filter(Boolean).join(' · ');
