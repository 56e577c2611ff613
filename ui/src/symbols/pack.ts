import { readDecimal } from '@/i18n/decimal';
import { codeKey } from '@/i18n/fold';

/** Data of the pack that was used. */
export interface Pack {
  lot: string | null;
  expiry: string | null;
  serial: string | null;
}

export const NO_PACK: Pack = { lot: null, expiry: null, serial: null };

const PARTS = ['lot', 'expiry', 'serial'] as const;
export type Part = (typeof PARTS)[number];

export const hasPackData = (pack: Pack) => PARTS.some((part) => pack[part]);

/** Compare lots and serial numbers as people read them, like the server. */
const isSame = (one: string, other: string) => codeKey(one) === codeKey(other);

/** Return whether two packs have the same lot and serial number. */
export const isSamePack = (one: Pack, other: Pack) =>
  isSame(one.lot ?? '', other.lot ?? '') && isSame(one.serial ?? '', other.serial ?? '');

/**
 * Fill the empty fields of a line's pack from another symbol.
 *
 * Known fields are neither cleared nor replaced. `differs` names those with another value in the symbol.
 */
export function filledIn(line: Pack, read: Pack): { pack: Pack; filled: boolean; differs: Part[] } {
  const pack = { lot: line.lot, expiry: line.expiry, serial: line.serial };
  let filled = false;
  const differs: Part[] = [];
  for (const part of PARTS) {
    const [known, told] = [line[part], read[part]];
    if (!told) continue;
    if (!known) {
      pack[part] = told;
      filled = true;
    } else if (!isSame(known, told)) differs.push(part);
  }
  return { pack, filled, differs };
}

/** A row pasted from a spreadsheet. */
export interface PastedRow {
  /** The texts that may be the product's code or name, in order. */
  texts: string[];
  /** Null if more than one number may be the quantity. */
  quantity: string | null;
}

/** Read pasted spreadsheet rows; null if the text has none. Columns are separated by tabs or semicolons. */
export function readRows(text: string): PastedRow[] | null {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  const separator = text.includes('\t') ? '\t' : ';';
  if (lines.length < 2 && !text.includes('\t')) return null;
  return lines.map((line) => {
    const [code = '', ...rest] = line.split(separator).map((cell) => cell.trim());
    const numbers = rest.filter((cell) => typeof readDecimal(cell) === 'number');
    return {
      texts: [code, ...rest.filter((cell) => cell && !numbers.includes(cell))],
      quantity: numbers.length > 1 ? null : (numbers[0] ?? ''),
    };
  });
}
