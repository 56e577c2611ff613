const DAY = 86_400_000;

/** The day so many days after that one. Days are the hospital's, written as the server writes them. */
export const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** How many days from one day to another, both counted. */
export const daysFrom = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;

/** Every day from one to another, both included. */
export const everyDay = (from: string, to: string) =>
  Array.from({ length: Math.max(0, daysFrom(from, to)) }, (_, number) => daysAfter(from, number));

/** Every month that has a day of that period. */
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

/** The periods that one looks at most, up to today. */
export const usualPeriods = [7, 30, 90] as const;
