import type { ConsumptionBy, ConsumptionRowView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { areaReasons } from '@/topics/sheets/lines/wasteReasons';

/** Return a function that names the rows of a report. */
export function useNameOfRow(by: ConsumptionBy) {
  const t = useText();
  const format = useFormat();
  return ({ key, name }: ConsumptionRowView) => {
    if (by === 'day') return format.day(key);
    if (by === 'month') return format.month(key);
    if (by === 'shift') return name ?? key;
    if (by === 'use_reason') {
      const known = Object.entries(areaReasons).find(([reason]) => reason === key);
      return key === '' ? t('reports.treatment') : known ? t(known[1]) : key;
    }
    if (by === 'room') return name ?? t('reports.noRoom');
    return name ?? t(by === 'staff' ? 'reports.noStaff' : 'reports.noArea');
  };
}
