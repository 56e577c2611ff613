import type { ConsumptionPage, ConsumptionRowView, UsedFor } from '@/api/generated';

/** Return the change as a fraction, or undefined if there was nothing before. */
export const changeFrom = (before: number, now: number) => (before ? (now - before) / before : undefined);

/** Return a quantity or an amount for each patient-day, rounded to `decimals`. */
export const perDay = (amount: number, patientDays: number, decimals: number) =>
  Math.round((amount / patientDays) * 10 ** decimals) / 10 ** decimals;

/**
 * Return the address of the details that a row adds up.
 *
 * Undefined if no filter finds them: returns, details without an area or staff member, and rows without details.
 */
export function linesHref(
  { by, period }: ConsumptionPage,
  row: ConsumptionRowView,
  { areaId, usedFor, returns }: { areaId: number | undefined; usedFor: UsedFor; returns: true | undefined },
) {
  if (returns || row.details === 0) return undefined;
  const query = new URLSearchParams({ from: period.from, to: period.to });
  if (areaId) query.set('area', String(areaId));
  // Lists have the lines of patients if nothing else is asked for.
  if (usedFor !== 'patients') query.set('for', usedFor);
  if (by === 'day') {
    query.set('from', row.key);
    query.set('to', row.key);
  } else if (by === 'month') {
    const last = lastOf(row.key);
    query.set('from', period.from > `${row.key}-01` ? period.from : `${row.key}-01`);
    query.set('to', period.to < last ? period.to : last);
  } else {
    if (row.key === '') return undefined;
    query.set(by, row.key);
  }
  return `/consumption-sheet-details?${query}`;
}

/** Return the last day of a month. */
export function lastOf(month: string) {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
