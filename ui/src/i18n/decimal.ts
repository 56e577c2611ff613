/** The mark between whole and part in this language: `,` in Spanish, `.` in English. */
export function decimalMark(locale: string): ',' | '.' {
  return new Intl.NumberFormat(locale).format(0.5).includes(',') ? ',' : '.';
}

/**
 * The number that a person means by this text, or null.
 * With both marks the last one is the decimal mark; a mark that repeats separates thousands; a single mark that is
 * not the language's own separates thousands only where it can (`1.234` in Spanish, never `0.500` or `1234.5`).
 */
export function parseDecimal(text: string, locale: string): number | null {
  const bare = text.replace(/[\s'’]/g, '');
  if (!/^\d*([.,]\d+)*[.,]?$/.test(bare) || !/\d/.test(bare)) return null;
  const last = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'));
  const mark = bare[last];
  if (mark === undefined) return Number(bare);
  const marks = bare.replace(/\d/g, '');
  const single = marks.length === 1;
  const repeats = !single && new Set(marks).size === 1;
  const thousands =
    repeats || (single && mark !== decimalMark(locale) && /^[1-9]\d{0,2}[.,]\d{3}$/.test(bare));
  if (thousands) return /^\d{1,3}([.,]\d{3})+$/.test(bare) ? Number(bare.replace(/[.,]/g, '')) : null;
  const whole = bare.slice(0, last);
  if (!single && !/^\d{1,3}([.,]\d{3})+$/.test(whole)) return null;
  return Number(`${whole.replace(/[.,]/g, '') || '0'}.${bare.slice(last + 1) || '0'}`);
}
