import { type Decimal, readDecimal } from '@/i18n/decimal';
import { parseBarcode } from './gs1';
import { isGtin } from './gtin';
import { isChecked } from './hibc';
import { parseLabel } from './label';

/** Shorter digits may well be another number, even with a correct check digit. */
const MIN_CERTAIN_GTIN_LENGTH = 12;

/**
 * Return whether the text can only be a code.
 *
 * That is a GTIN, a GS1 or HIBC symbol, a link, a person's GS1 number, or a label of Consumo.
 */
export function isCertainCode(text: string): boolean {
  if (/\s/.test(text.trim())) return false;
  const { text: code, symbology, hibc, ofPerson, reading } = parseBarcode(text);
  if (code === '') return false;
  if (isGtin(code)) return code.length >= MIN_CERTAIN_GTIN_LENGTH;
  if (hibc !== null || code.startsWith('+')) return isChecked(code) || (reading !== null && !reading.bare);
  if (parseLabel(code)) return true;
  if (symbology !== null || ofPerson) return true;
  // Typed text before a symbol leaves elements at its end.
  return reading !== null && !reading.bare && (reading.gtin !== null || !reading.incomplete);
}

/** Return whether the text is a symbol with more than a GTIN, which cannot be the end of another code. */
export function isWholeSymbol(text: string): boolean {
  if (!isCertainCode(text)) return false;
  const { symbology, hibc, ofPerson, reading, text: code } = parseBarcode(text);
  const isGs1 = reading !== null && reading.gtin !== null && !isGtin(code);
  return symbology !== null || hibc !== null || ofPerson || isGs1 || parseLabel(code) !== null;
}

/** Return whether text may be a patient's number or a product's code: a digit, no blank, no decimals. */
export const looksLikeCode = (text: string) =>
  text.length > 2 && /\d/.test(text) && !/\s/.test(text) && !/^\d{1,4}[.,]\d{1,3}$/.test(text);

/**
 * Return whether the record bar treats the text as a code.
 *
 * It includes digits as long as a GTIN, whose errors the lookup reports.
 */
export const isBarCode = (text: string) => isCertainCode(text) || /^\d{8,14}$/.test(text);

const NUMBER = String.raw`\d{1,4}(?:[.,]\d{1,3})?`;
const TIMES_BEFORE = new RegExp(String.raw`^(${NUMBER})\s*[x×*]\s*(\S+)$`, 'i');
const TIMES_BEHIND = new RegExp(String.raw`^(\S+?)\s*[×*]\s*(${NUMBER})$`);

/** Split `3×9520000001858` or `9520000001858*3` into code and quantity. */
export function splitTimes(text: string): { code: string; times: Decimal } | null {
  const [, before, behind = ''] = TIMES_BEFORE.exec(text) ?? [];
  if (before) return { code: behind, times: readDecimal(before) };
  const [, code, times = ''] = TIMES_BEHIND.exec(text) ?? [];
  return code ? { code, times: readDecimal(times) } : null;
}
