const DAY = 86_400_000;

/** Add a number of days to a hospital's day in ISO format. */
export const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** Return the number of days of a period, both ends included. */
export const daysFrom = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;

/** Return every day of a period, both ends included. */
export const everyDay = (from: string, to: string) =>
  Array.from({ length: Math.max(0, daysFrom(from, to)) }, (_, number) => daysAfter(from, number));

/** Return every month that contains a day of the period. */
export function everyMonth(from: string, to: string) {
  const months = [];
  const last = to.slice(0, 7);
  for (let month = from.slice(0, 7); month <= last; ) {
    months.push(month);
    const [year, number] = month.split('-').map(Number) as [number, number];
    month = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
  }
  return months;
}

/** The most used periods in days, up to today. */
export const usualPeriods = [7, 30, 90] as const;
