import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { isCodeOf } from '@/components/productSearch';
import type { Scanned } from '@/components/SearchSelect';
import { useScanHandler } from '@/scan/scanHandlers';
import type { Chosen } from './DetailSelects';

/**
 * Take scans into the search for products of a page with one detail: another product is taken where there is none yet,
 * and only offered where there is one.
 */
export function useScanned<Values extends Chosen>(
  form: UseFormReturnType<Values>,
  remember = () => {
    const values = form.getValues();
    return () => form.setValues(values);
  },
) {
  const [scanned, setScanned] = useState<Scanned | null>(null);
  useScanHandler({
    remember,
    onScan({ code }) {
      const { product } = form.getValues();
      if (!product || !isCodeOf(product, code)) setScanned({ code, take: product === null });
    },
  });
  return { scanned };
}
