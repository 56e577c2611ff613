import dayjs from 'dayjs';

/** Which part of a date is written first. */
export type DateOrder = 'day' | 'month' | 'year';

/**
 * Register the names of months and weekdays for the calendar, which takes them from dayjs.
 *
 * Return how a day is written: `DD/MM/YYYY`, and its first part.
 */
export function registerCalendar(locale: string): { form: string; order: DateOrder } {
  const name = (moment: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(moment);
  const months = (month: 'long' | 'short') =>
    Array.from({ length: 12 }, (_, number) => name(Date.UTC(2026, number), { month }));
  // The first of November 2026 is a Sunday.
  const weekdays = (weekday: 'long' | 'short') =>
    Array.from({ length: 7 }, (_, number) => name(Date.UTC(2026, 10, 1 + number), { weekday }));
  dayjs.locale(
    locale,
    {
      months: months('long'),
      monthsShort: months('short'),
      weekdays: weekdays('long'),
      weekdaysShort: weekdays('short'),
      weekdaysMin: weekdays('short'),
    },
    true,
  );
  const parts = new Intl.DateTimeFormat(locale, {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    calendar: 'gregory',
    numberingSystem: 'latn',
  }).formatToParts(0);
  const order = parts.map(({ type }) => type).filter((type) => type in LETTERS) as DateOrder[];
  const mark = parts.find(({ type }) => type === 'literal')?.value.trim()[0] ?? '-';
  return { form: order.map((part) => LETTERS[part]).join(mark), order: order[0] ?? 'year' };
}

const LETTERS: Record<DateOrder, string> = { day: 'DD', month: 'MM', year: 'YYYY' };
