/** The mark between whole and part in this language: `,` in Spanish, `.` in English. */
function decimalMark(locale: string): ',' | '.' {
  return new Intl.NumberFormat(locale).format(0.5).includes(',') ? ',' : '.';
}

/** What stands in a field for a number: the number, nothing, or the text that cannot be read as one number. */
export type Decimal = number | string | null;

const FORMS = [
  /^(?<whole>\d*)(?:[.,](?<part>\d*))?$/,
  /^(?<whole>[1-9]\d{0,2}([.,])\d{3}(?:\2\d{3})+)$/,
  /^(?<whole>[1-9]\d{0,2}(?:\.\d{3})+),(?<part>\d*)$/,
  /^(?<whole>[1-9]\d{0,2}(?:,\d{3})+)\.(?<part>\d*)$/,
];

/**
 * The number that a person means, in whichever language: of both marks the last one is the decimal mark, and one that
 * repeats separates thousands. `1.500` may be either, and stays a text until the person says which.
 */
export function readDecimal(text: string): Decimal {
  const bare = tidy(text);
  if (bare === '') return null;
  const found = FORMS.map((form) => form.exec(bare)?.groups).find(Boolean);
  if (!found || !/\d/.test(bare) || readings(bare)) return text;
  const { whole = '', part = '' } = found;
  return Number(`${whole.replace(/[.,]/g, '') || 0}.${part || 0}`);
}

/** The two numbers that it may be, the one with decimals first; null where it is clear. */
export function readings(text: string): [number, number] | null {
  const [, whole, part] = /^([1-9]\d{0,2})[.,](\d{3})$/.exec(tidy(text)) ?? [];
  return whole && part ? [Number(`${whole}.${part}`), Number(whole + part)] : null;
}

const tidy = (text: string) => text.replace(/[\s'’]/g, '');

/** A number as it is typed: without thousands, and with all its decimals. */
export function writeDecimal(number: number, locale: string): string {
  return number
    .toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    .replace('.', decimalMark(locale));
}
