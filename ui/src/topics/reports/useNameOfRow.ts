import type { ConsumptionBy, ConsumptionRowView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

/** Return a function that names the rows of a report. */
export function useNameOfRow(by: ConsumptionBy) {
  const t = useText();
  const format = useFormat();
  return ({ key, name }: ConsumptionRowView) => {
    if (by === 'day') return format.day(key);
    if (by === 'month') return format.month(key);
    if (by === 'shift') return name ?? key;
    if (by === 'room') return name ?? t('reports.noRoom');
    return name ?? t(by === 'staff' ? 'reports.noStaff' : 'reports.noArea');
  };
}
