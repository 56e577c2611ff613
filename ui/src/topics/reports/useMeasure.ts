import type { ConsumptionSumsView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';

/**
 * Return the measure of consumption.
 *
 * It is the value, or the total in a report of patients; and the number of details for users who see no prices.
 */
export function useMeasure(amount: 'total' | 'value' = 'total') {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const of = ({ value, total, details }: Pick<ConsumptionSumsView, 'value' | 'total' | 'details'>) =>
    seesPrices ? (value ?? total ?? 0) : details;
  return {
    of,
    sort: seesPrices ? `-${amount}` : '-details',
    tell: (value: number) => (seesPrices ? format.money(value) : t('reports.details', { count: value })),
    /** The figure alone, for a column. */
    figure: (value: number) => (seesPrices ? format.money(value) : format.quantity(value)),
    tellRoughly: (value: number) => (seesPrices ? format.roughMoney(value) : format.quantity(value)),
  };
}
