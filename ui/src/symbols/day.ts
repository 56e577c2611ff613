/** Return the full year of two digits, 49 years ago to 50 years ahead. */
export function fullYear(figures: number) {
  const first = new Date().getUTCFullYear() - 49;
  return first + ((((figures - first) % 100) + 100) % 100);
}

/**
 * Return the date as YYYY-MM-DD, or null if it does not exist.
 *
 * Day 0 is the last of the month.
 */
export function dateOf(year: number, month: number, day: number) {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (year < 1 || month < 1 || month > 12 || day > last) return null;
  return [
    String(year).padStart(4, '0'),
    String(month).padStart(2, '0'),
    String(day || last).padStart(2, '0'),
  ].join('-');
}
