import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { useScanPage } from '@/scan/scanPages';
import type { Scanned } from '@/shared/forms/SearchSelect';
import { isCodeOf } from '@/topics/catalogue/productSearch';
import type { Chosen } from '../lines/DetailSelects';

/**
 * Fill scanned products into the form of one detail.
 *
 * A scan chooses the product if there is none yet; otherwise the scanned product is only offered.
 */
export function useScanned<Values extends Chosen>(
  form: UseFormReturnType<Values>,
  remember = () => {
    const values = form.getValues();
    return () => form.setValues(values);
  },
) {
  const [scanned, setScanned] = useState<Scanned | null>(null);
  useScanPage({
    remember,
    onScan({ code }) {
      const { product } = form.getValues();
      if (!product || !isCodeOf(product, code)) setScanned({ code, take: product === null });
    },
  });
  return { scanned };
}
