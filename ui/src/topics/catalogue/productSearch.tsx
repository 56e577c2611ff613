import { use } from 'react';
import { type ProductView, useListProductsQuery } from '@/api/generated';
import { foldCode, foldProduct, productWords } from '@/i18n/fold';
import { useFormat } from '@/i18n/useFormat';
import { SearchTextContext } from '@/shared/forms/searchText';
import { codeOf } from '@/shared/records/nameAndCode';

/** Debounce delay of the product search, in milliseconds. */
export const PRODUCT_WAIT = 700;

/** Query active products for a selector. */
export const useActiveProducts = (name: string | undefined, skip: boolean) =>
  useListProductsQuery({ name, active: true, limit: 20 }, { skip });

/** Query all products, inactive ones too. */
export const useAllProducts = (name: string | undefined, skip: boolean) =>
  useListProductsQuery({ name, limit: 20 }, { skip });

export const isCodeOf = ({ code, gtin }: Partial<Pick<ProductView, 'code' | 'gtin'>>, text: string) =>
  [code, gtin].some((one) => one?.toLowerCase() === text.toLowerCase());

type Named = Pick<ProductView, 'name'> & Partial<Pick<ProductView, 'also_called'>>;

/** Return whether each word of the text is in one of the product's names. */
export function isProductNamed({ name, also_called = [] }: Named, text: string) {
  const names = [name, ...also_called].map(foldProduct);
  return productWords(text).every((word) => names.some((one) => one.includes(word)));
}

/** Return the other name with a word of the text that the name lacks. */
export function foundAs({ name, also_called = [] }: Named, text: string) {
  const folded = foldProduct(name);
  const words = productWords(text).filter((word) => !folded.includes(word));
  return also_called.find((other) => words.some((word) => foldProduct(other).includes(word)));
}

/** Return whether the product's name begins with the text. */
export const productBegins = ({ name }: Pick<ProductView, 'name'>, text: string) =>
  foldProduct(name).startsWith(productWords(text).join(' '));

/**
 * Return whether the text is only a part of the code.
 *
 * The user may have mistyped the code of another product.
 */
export function isPartOfCode(product: Named & Pick<ProductView, 'code'>, text: string) {
  const [own, part] = [foldCode(product.code ?? ''), foldCode(text)];
  return part !== '' && own !== part && own.includes(part) && !isProductNamed(product, text);
}

/**
 * Details that distinguish products of the same name.
 *
 * They are the other name that was found, code, unit and price.
 */
export function ProductNote({ product }: { product: ProductView }) {
  const format = useFormat();
  const text = use(SearchTextContext);
  const { unit, price } = product;
  const parts = [foundAs(product, text), codeOf(product), unit, price !== undefined && format.money(price)];
  return <span>{parts.filter(Boolean).join(' · ')}</span>;
}

/**
 * Return code and unit without the price.
 *
 * The price could be mistaken for part of the surrounding text.
 */
export const codeAndUnit = (product: Pick<ProductView, 'code' | 'gtin' | 'unit'>) =>
  [codeOf(product), product.unit].filter(Boolean).join(' · ');
