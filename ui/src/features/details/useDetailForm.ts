import { type UseFormReturnType, useForm } from '@mantine/form';
import { flushSync } from 'react-dom';
import type { PersonView, ProductView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';

/** Named as the server names them, so that its messages find their fields. */
export interface DetailValues {
  product_id: number | null;
  product: ProductView | null;
  quantity: number | null;
  staff_id: number | null;
  staff: PersonView | null;
  area_id: number | null;
}

export type DetailForm = UseFormReturnType<DetailValues>;

const LARGEST = 999_999.999;

export function useDetailForm(): DetailForm {
  const t = useText();
  const profile = useSession().user?.profile ?? null;
  return useForm<DetailValues>({
    initialValues: {
      product_id: null,
      product: null,
      quantity: 0,
      staff_id: profile?.id ?? null,
      staff: profile,
      area_id: null,
    },
    validate: {
      product_id: (id) => (id === null ? t('details.chooseProduct') : null),
      quantity: (quantity) => {
        if (quantity === null) return t('form.required');
        if (quantity > LARGEST) return t('details.quantityTooLarge', { most: LARGEST });
        return Number.isInteger(Number((quantity * 1000).toFixed(6))) ? null : t('details.quantityTooFine');
      },
    },
  });
}

/** Ready for the next detail: who records and where stays as it was chosen. */
export function clearForNext(form: DetailForm) {
  form.setValues({ product_id: null, product: null, quantity: 0 });
  form.clearErrors();
  form.getInputNode('product_id')?.focus();
}

/** Into the form again. Focus selects the quantity, once it stands there, so that another one takes its place. */
export function giveBack(form: DetailForm, values: DetailValues) {
  flushSync(() => {
    form.setValues(values);
    form.clearErrors();
  });
  form.getInputNode('quantity')?.focus();
}

/** Whether a person has begun to fill it in. What they type into the search is in its field alone. */
export function isBegun(form: DetailForm) {
  const search = form.getInputNode('product_id') as HTMLInputElement | null;
  return form.getValues().product !== null || Boolean(search?.value);
}
