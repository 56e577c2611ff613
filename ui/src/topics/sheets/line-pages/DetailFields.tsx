import { SimpleGrid } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { ProductView } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { DecimalInput } from '@/shared/forms/DecimalInput';
import type { Scanned } from '@/shared/forms/SearchSelect';
import { AreaSelect, type Chosen, ProductSelect, StaffSelect } from '../lines/DetailSelects';

interface Values extends Chosen {
  quantity: Decimal;
}

interface Props<V extends Values> {
  form: UseFormReturnType<V>;
  /** Called in addition to the form's own handler when the product or the quantity changes. */
  onProduct?: (product: ProductView | null) => void;
  onQuantity?: () => void;
  /** A code that was scanned on this page. */
  scanned: Scanned | null;
  /** Shown beside the quantity. */
  children?: ReactNode;
}

/** Render the fields of a detail on its own page. */
export function DetailFields<V extends Values>({ form, onProduct, onQuantity, scanned, children }: Props<V>) {
  const t = useText();
  const choosesStaff = useCan('details.record_for_any_staff');
  return (
    <>
      <ProductSelect
        form={form}
        scanned={scanned}
        onChange={(id, product) => {
          form.setValues({ product_id: id, product } as Partial<V>);
          form.clearFieldError('product_id');
          onProduct?.(product);
        }}
      />
      <SimpleGrid cols={2} spacing="md">
        <DecimalInput
          label={t('details.quantity')}
          required
          {...form.getInputProps('quantity')}
          value={form.values.quantity}
          onChange={(quantity) => {
            form.setValues({ quantity } as Partial<V>);
            form.clearFieldError('quantity');
            onQuantity?.();
          }}
        />
        {children}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {choosesStaff && <StaffSelect form={form} />}
        <AreaSelect form={form} />
      </SimpleGrid>
    </>
  );
}
