import { Switch, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import type { ProductView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { ignoreScannerEnter } from '@/scan/ignoreScannerEnter';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { codeAndUnit, isCodeOf, isPartOfCode, PRODUCT_WAIT, useAllProducts } from '../productSearch';

export interface RecallValues {
  product_id: number | null;
  /** All of the product, regardless of the lot. */
  all_lots: boolean;
  lot: string;
  reason: string;
}

export function useRecallForm(initialValues: RecallValues) {
  const t = useText();
  const required = t('form.required');
  return useForm({
    initialValues,
    validate: {
      product_id: isNotEmpty(required),
      // An empty lot would recall all of the product, so that must be a deliberate choice.
      lot: (lot, { all_lots }) => (all_lots || lot.trim() ? null : required),
      reason: isNotEmpty(required),
    },
  });
}

/** Convert validated form values to the request body. */
export const draftOf = ({ product_id, all_lots, lot, reason }: RecallValues) => ({
  product_id: product_id as number,
  lot: all_lots ? undefined : lot,
  reason,
});

interface Props {
  form: UseFormReturnType<RecallValues>;
  /** The name of the present product. */
  productName?: string;
}

export function RecallFields({ form, productName }: Props) {
  const t = useText();
  const { all_lots: all } = form.values;
  return (
    <>
      <SearchSelect<ProductView>
        label={t('details.product')}
        placeholder={t('details.productPlaceholder')}
        required
        autoFocus={!productName}
        useFound={useAllProducts}
        nameOf={({ name }) => name}
        noteOf={codeAndUnit}
        isExact={isCodeOf}
        isUncertain={isPartOfCode}
        wait={PRODUCT_WAIT}
        valueName={productName}
        {...form.getInputProps('product_id')}
      />
      <TextInput
        label={t('details.lot')}
        description={t('recalls.lotHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required={!all}
        disabled={all}
        maxLength={50}
        autoComplete="off"
        data-scan="own"
        onKeyDown={ignoreScannerEnter}
        {...form.getInputProps('lot')}
        value={all ? '' : form.values.lot}
      />
      <Switch
        size="md"
        label={t('recalls.allLots')}
        description={t('recalls.allLotsHint')}
        {...form.getInputProps('all_lots', { type: 'checkbox' })}
        onChange={(event) => {
          form.setFieldValue('all_lots', event.currentTarget.checked);
          form.clearFieldError('lot');
        }}
      />
      <Textarea
        label={t('recalls.reason')}
        description={t('recalls.reasonHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        maxLength={500}
        rows={3}
        {...form.getInputProps('reason')}
      />
    </>
  );
}
