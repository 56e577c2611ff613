import { type UseFormReturnType, useForm } from '@mantine/form';
import { type DetailValues, EMPTY_SCAN } from '@/outbox/outboxSlice';
import { hasPackData } from '@/symbols/pack';
import { useBlankDetail, useDetailRules } from '@/topics/sheets/lines/useDetailRules';
import type { Recorder } from '../scanning/recorderState';

export type DetailForm = UseFormReturnType<DetailValues>;

/** `use_reason`: see `DetailValues`. */
export function useDetailForm(use_reason?: DetailValues['use_reason']): DetailForm {
  return useForm<DetailValues>({
    initialValues: { ...useBlankDetail(), use_reason },
    validate: useDetailRules(),
  });
}

/** Copy the form's values, because the form mutates its own. */
export const valuesOf = (form: DetailForm): DetailValues => ({ ...form.getValues() });

/** Return as whom, where and when the next line is used. */
export function recorderOf(form: DetailForm): Recorder {
  const { staff_id, staff, area_id, used_at, use_reason } = form.getValues();
  return { staff_id, staff, area_id, used_at, use_reason };
}

/** Reset the form for the next detail; staff, area, time and reason of use stay. */
export function resetForm(form: DetailForm) {
  form.setValues({ product_id: null, product: null, quantity: 0, corrects: null, ...EMPTY_SCAN });
  form.clearErrors();
  form.getInputNode('product_id')?.focus();
}

/**
 * Return whether the form has a draft.
 *
 * A search text is none: it may be the beginning of a scan.
 */
export function hasDraft(form: DetailForm) {
  const values = form.getValues();
  return values.product !== null || hasPackData(values);
}
