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

/** Compare lots without case, like the server. */
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

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

/** Read spreadsheet rows of code and quantity; null if there are none. */
export function readRows(text: string): { code: string; quantity: string }[] | null {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines.length < 2 && !text.includes('\t')) return null;
  return lines.map((line) => {
    const [code = '', quantity = ''] = line.split('\t').map((cell) => cell.trim());
    return { code, quantity };
  });
}
