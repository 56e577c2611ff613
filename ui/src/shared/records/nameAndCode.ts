interface Coded {
  name: string;
  code?: string | null;
  gtin?: string | null;
}

/** Return the code that a person can read on the shelf: the hospital's own, or else the GTIN. */
export const codeOf = ({ code, gtin }: Omit<Coded, 'name'>) => code || gtin || '';

/**
 * Name a product so that it differs from others of the same name: `Gasa estéril · GR-1`.
 *
 * It equals `Product.name_and_code` of domain/catalogue/product.py.
 */
export const nameAndCode = (product: Coded) => [product.name, codeOf(product)].filter(Boolean).join(' · ');
