import { dateOf, fullYear } from './day';

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%';

/**
 * Return the check character of a text.
 *
 * It is empty if the text has a character that HIBC does not allow.
 */
function checkCharacter(text: string) {
  const places = [...text.toUpperCase()].map((character) => CHARACTERS.indexOf(character));
  if (places.includes(-1)) return '';
  return CHARACTERS.charAt(places.reduce((sum, place) => sum + place, 0) % CHARACTERS.length);
}

export const isChecked = (symbol: string) =>
  symbol.length > 1 && checkCharacter(symbol.slice(0, -1)) === symbol.slice(-1).toUpperCase();

/**
 * Return the spellings of a code in catalogues and symbols.
 *
 * They are the code as given, with its check character, and without it.
 */
export const hibcSpellings = (code: string) => [
  code,
  ...(isChecked(code) ? [code.slice(0, -1)] : []),
  code + checkCharacter(code),
];

export interface HibcReading {
  /** The primary data, which identifies the product. */
  primary: string | null;
  lot?: string;
  expiry?: string | null;
  serial?: string;
  count?: number;
  expiryUnreadable?: boolean;
  incomplete: boolean;
  separatorLost: boolean;
}

const TOGETHER = /^(\+[A-Z][A-Z0-9]{3,22})\/(.+)$/;
const SECONDARY_ALONE = /^\+(\$|\d{5})/;
const VALUE = '(?<value>[A-Z0-9. $%-]{0,20})';
/**
 * The possible parts, each with the field of its value.
 *
 * A digit before a date says its format.
 */
const PARTS = (
  [
    [
      '\\$\\$(?<serial>\\+?)(?:8(?<two>\\d{2})|9(?<five>\\d{5}))?' +
        '(?:2(?<mmddyy>\\d{6})|3(?<yymmdd>\\d{6})|4(?<yymmddhh>\\d{8})|5(?<yyjjj>\\d{5})|6(?<yyjjjhh>\\d{7})|7|(?<mmyy>[01]\\d{3}))' +
        VALUE,
      'lot',
    ],
    [`\\$(?<serial>\\+?)${VALUE}`, 'lot'],
    [`(?<yyjjj>\\d{5})${VALUE}`, 'lot'],
    [`S${VALUE}`, 'serial'],
    ['14D(?<yyyymmdd>\\d{8})', ''],
    ['16D\\d{8}', ''],
    ['Q(?<five>\\d{1,5})', ''],
  ] as const
).map(([pattern, name]) => ({ kind: new RegExp(`^${pattern}$`), name }));

/**
 * Read a text that begins with +, like adapters/symbols/hibc.py.
 *
 * Without secondary data, the whole text is a code.
 */
export function readHibc(text: string): HibcReading {
  let symbol = text.toUpperCase();
  // The check character is a space that was trimmed.
  if (!isChecked(symbol) && isChecked(`${symbol} `)) symbol += ' ';
  const [, primary, secondary] = TOGETHER.exec(symbol) ?? [];
  // The last character checks all of it.
  if (primary && secondary) return read(primary, secondary.slice(0, -1), isChecked(symbol));
  // Secondary data alone ends with the check character of the primary symbol, then its own.
  if (SECONDARY_ALONE.test(symbol)) return read(null, symbol.slice(1, -2), isChecked(symbol));
  return { primary: text, incomplete: false, separatorLost: false };
}

function read(primary: string | null, data: string, isRight: boolean): HibcReading {
  let told: Partial<HibcReading> = {};
  let incomplete = false;
  let separatorLost = false;
  const parts = data.split('/');
  parts.forEach((part, place) => {
    let { kind, name } = PARTS.find((one) => one.kind.test(part)) ?? { kind: null, name: '' };
    if (!isRight && name && place === parts.length - 1) {
      // The wrong check character may belong to the last part: a lot must be confirmed, anything else is dropped.
      separatorLost = place === 0;
      if (!separatorLost) kind = null;
    }
    const groups = kind?.exec(part)?.groups;
    if (kind === null) incomplete = true;
    else if (groups) told = { ...ofPart(groups, name as 'lot' | 'serial'), ...told };
  });
  return { primary, ...told, incomplete, separatorLost };
}

function ofPart(part: Record<string, string | undefined>, name: 'lot' | 'serial'): Partial<HibcReading> {
  const told: Partial<HibcReading> = {};
  if (part.value) told[part.serial ? 'serial' : name] = part.value;
  const count = Number(part.two ?? part.five ?? 0);
  if (count) told.count = count;
  const form = Object.keys(part).find((one) => /^[my]/.test(one) && part[one]);
  if (!form) return told;
  const expiry = dayOf(form, part[form] as string);
  return { ...told, expiry, expiryUnreadable: expiry === null };
}

/**
 * Parse the date in the given format; a month means its last day.
 *
 * Null if it does not exist.
 */
function dayOf(form: string, figures: string) {
  const at = (from: number, to: number) => Number(figures.slice(from, to));
  if (form === 'mmyy') return dateOf(fullYear(at(2, 4)), at(0, 2), 0);
  if (form === 'yyyymmdd') return at(6, 8) === 0 ? null : dateOf(at(0, 4), at(4, 6), at(6, 8));
  if (form.startsWith('yyjjj')) {
    const year = fullYear(at(0, 2));
    const day = new Date(Date.UTC(year, 0, at(2, 5)));
    return day.getUTCFullYear() === year ? day.toISOString().slice(0, 10) : null;
  }
  const [year, month, day] =
    form === 'mmddyy' ? [at(4, 6), at(0, 2), at(2, 4)] : [at(0, 2), at(2, 4), at(4, 6)];
  return day === 0 ? null : dateOf(fullYear(year), month, day);
}
