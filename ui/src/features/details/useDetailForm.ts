import { type UseFormReturnType, useForm } from '@mantine/form';
import { useDecimalRule } from '@/components/DecimalInput';
import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { type DetailValues, EMPTY_SCAN } from '@/outbox/outboxSlice';
import { hasPackData } from '@/scan/pack';
import { useSession } from '@/session/session';
import { MAX_QUANTITY, type Recorder } from './recorder';

export type DetailForm = UseFormReturnType<DetailValues>;

/** Return the validation rules of a detail's form. */
export function useDetailRules() {
  const t = useText();
  const decimal = useDecimalRule();
  return {
    product_id: (id: number | null) => (id === null ? t('details.chooseProduct') : null),
    quantity: (quantity: Decimal) => {
      if (typeof quantity !== 'number') return decimal(quantity);
      if (quantity > MAX_QUANTITY) return t('details.quantityTooLarge', { most: MAX_QUANTITY });
      return Number.isInteger(Number((quantity * 1000).toFixed(6))) ? null : t('details.quantityTooFine');
    },
  };
}

/** Return the initial values of a new detail. */
export function useBlankDetail(): DetailValues {
  const profile = useSession().user?.profile ?? null;
  return {
    product_id: null,
    product: null,
    quantity: 0,
    staff_id: profile?.id ?? null,
    staff: profile,
    area_id: null,
    used_at: null,
    corrects: null,
    ...EMPTY_SCAN,
  };
}

export function useDetailForm(): DetailForm {
  return useForm<DetailValues>({ initialValues: useBlankDetail(), validate: useDetailRules() });
}

/** Copy the form's values, because the form mutates its own. */
export const valuesOf = (form: DetailForm): DetailValues => ({ ...form.getValues() });

/** Return as whom, where and when the next line is used. */
export function recorderOf(form: DetailForm): Recorder {
  const { staff_id, staff, area_id, used_at } = form.getValues();
  return { staff_id, staff, area_id, used_at };
}

/** Reset the form for the next detail; staff, area and time of use stay. */
export function resetForm(form: DetailForm) {
  form.setValues({ product_id: null, product: null, quantity: 0, corrects: null, ...EMPTY_SCAN });
  form.clearErrors();
  form.getInputNode('product_id')?.focus();
}

/**
 * Return whether the form has a draft.
 *
 * The search text is only in its input, not in the values.
 */
export function hasDraft(form: DetailForm) {
  const search = form.getInputNode('product_id') as HTMLInputElement | null;
  const values = form.getValues();
  return values.product !== null || hasPackData(values) || Boolean(search?.value);
}
