import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { isCodeOf } from '@/components/productSearch';
import type { Scanned } from '@/components/SearchSelect';
import type { Chosen } from './DetailSelects';

/**
 * What is scanned where a number belongs goes to the search for products, on a page with one detail: another product
 * is taken where there is none yet, and only offered where there is one.
 */
export function useScanned<Values extends Chosen>(form: UseFormReturnType<Values>) {
  const [scanned, setScanned] = useState<Scanned | null>(null);
  return {
    scanned,
    onScan: (code: string) => {
      const { product } = form.getValues();
      if (!product || !isCodeOf(product, code)) setScanned({ code, take: product === null });
    },
  };
}
