import { useIntl } from 'react-intl';
import type { SheetView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useDayNames } from '../useDayNames';
import classes from './ConsumptionDays.module.css';

const NAMED = 4;
const utc = (day: string) => new Date(`${day}T00:00:00Z`);

/**
 * Show the days of consumption.
 *
 * A few are named, many are a span that expands.
 */
export function ConsumptionDays({ sheet }: { sheet: SheetView }) {
  const format = useFormat();
  const intl = useIntl();
  const nameDays = useDayNames();
  const days = sheet.consumptions.map((day) => format.dayOf(day.created_at));
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;

  const named = nameDays(days);
  if (days.length <= NAMED) return <span>{named}</span>;
  const span = intl.formatDateTimeRange(utc(first), utc(last), {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
  return (
    <details className={classes.days}>
      <summary>{span}</summary>
      <span>{named}</span>
    </details>
  );
}
