import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { type DetailValues, EMPTY_SCAN } from '@/outbox/outboxSlice';
import { useSession } from '@/session/session';
import { useDecimalRule } from '@/shared/forms/DecimalInput';
import { MAX_QUANTITY } from './quantity';

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
