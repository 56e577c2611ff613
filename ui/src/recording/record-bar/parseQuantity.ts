import { type Decimal, readDecimal } from '@/i18n/decimal';

/**
 * One interpretation of a typed text.
 *
 * It is a quantity of what the words find, or the whole text as words.
 */
export interface QuantityInterpretation {
  /** The words to search. */
  words: string;
  /** The quantity; a text if it is ambiguous and must be asked about. Undefined without one. */
  quantity?: Decimal;
  /** The unit written with the number, normalised. */
  unit?: string;
  /** Parts that a product's name must contain as words of their own: `3` does not match `30`. */
  whole?: string[];
}

const NUMBER = String.raw`(?:\d{1,6}(?:[.,]\d{1,3})?|[.,]\d{1,3})`;

/**
 * Spellings of each unit, mapped to the one that is compared.
 *
 * Pieces have an empty unit.
 */
const UNITS: Record<string, string> = {
  ...named('', 'u', 'un', 'und', 'unid', 'unidad', 'unidades'),
  ...named('ml', 'ml', 'cc'),
  ...named('l', 'l', 'lt'),
  ...named('g', 'g', 'gr'),
  ...named('mg', 'mg'),
  ...named('kg', 'kg'),
  ...named('m', 'm'),
  ...named('cm', 'cm'),
  ...named('mm', 'mm'),
  ...named('par', 'par', 'pares'),
  ...named('caja', 'caja', 'cajas'),
  ...named('paquete', 'paq', 'paquete', 'paquetes'),
  ...named('frasco', 'frasco', 'frascos', 'fco'),
  ...named('ampolla', 'amp', 'ampolla', 'ampollas'),
  ...named('tableta', 'tab', 'tableta', 'tabletas'),
  ...named('comprimido', 'comp', 'comprimido', 'comprimidos'),
  ...named('rollo', 'rollo', 'rollos'),
  ...named('sobre', 'sobre', 'sobres'),
};

function named(name: string, ...spellings: string[]) {
  return Object.fromEntries(spellings.map((spelling) => [spelling, name]));
}

/** Units that usually name a product's size, as in `10 ml jeringa`. */
const MEASURES = ['ml', 'l', 'g', 'mg', 'mm', 'cm', 'fr', 'ch'];

const spellings = [...new Set([...Object.keys(UNITS), ...MEASURES])].sort((a, b) => b.length - a.length);

const TIMES_IN_FRONT = new RegExp(String.raw`^(${NUMBER})\s*(?:[×*]|x(?![a-wyz]))\s*(\S.*)$`, 'iu');
const TIMES_BEHIND = new RegExp(String.raw`^(.*\S)(?:\s*[×*]|\s+x)\s*(${NUMBER})$`, 'iu');
const WITH_UNIT = new RegExp(String.raw`^(${NUMBER})\s*(${spellings.join('|')})\.?\s+(\S.*)$`, 'iu');
const IN_FRONT = new RegExp(String.raw`^(${NUMBER})\s+(\S.*)$`, 'u');

const hasLetter = (text: string) => /\p{L}/u.test(text);
const isSize = (text: string) => /\d$/.test(text);

/**
 * Parse a search text into its possible meanings, the most likely first.
 *
 * `3 gasa`, `gasa x3` and `0,5 l suero` contain a quantity. If the number may also belong to a name, both
 * interpretations are returned, so that the user sees the difference before anything is recorded.
 */
export function parseQuantity(text: string): QuantityInterpretation[] {
  const words = text.trim().replace(/\s+/g, ' ');
  const asWritten: QuantityInterpretation = { words };
  if (!hasLetter(words) && !/[x×*]/i.test(words)) return [asWritten];

  const [, front, ofFront] = TIMES_IN_FRONT.exec(words) ?? [];
  // `102371*4`: the longer of two numbers is a code.
  if (front && ofFront && !(/^\d{5,}$/.test(front) && /^\d{1,4}$/.test(ofFront))) {
    // `10 x 10 gasa`: an x between two numbers is a size.
    if (/^\d+([.,]\d+)?\s/.test(ofFront)) return [asWritten];
    return [{ words: ofFront, quantity: readDecimal(front) }];
  }

  const [, ofBehind, behind] = TIMES_BEHIND.exec(words) ?? [];
  if (behind && ofBehind) {
    const amount: QuantityInterpretation = { words: ofBehind, quantity: readDecimal(behind) };
    return isSize(ofBehind) && hasLetter(ofBehind) ? [asWritten, amount] : [amount];
  }

  const [, withUnit, spelling = '', ofUnit] = WITH_UNIT.exec(words) ?? [];
  if (withUnit && ofUnit && hasLetter(ofUnit)) {
    const unit = UNITS[spelling.toLowerCase()];
    const whole = [withUnit, spelling.toLowerCase()];
    const named: QuantityInterpretation = { words, whole };
    // With a unit, a comma or a point is a decimal separator.
    const amount: QuantityInterpretation = {
      words: ofUnit,
      quantity: Number(withUnit.replace(',', '.')),
      unit,
    };
    if (unit === undefined) return [named];
    return MEASURES.includes(spelling.toLowerCase()) ? [named, amount] : [amount, named];
  }

  const [, number, ofNumber] = IN_FRONT.exec(words) ?? [];
  if (number && ofNumber && hasLetter(ofNumber) && !spellings.includes(ofNumber.toLowerCase()))
    return [
      { words: ofNumber, quantity: readDecimal(number) },
      { words, whole: [number] },
    ];
  return [asWritten];
}

/** Split a text into words: `10ml` equals `10 ml`, and `0,9` equals `0.9`. */
const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(',', '.')
    .replace(/(\d)(\p{L})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .split(/[^\p{L}\d.]+|\.(?!\d)/u)
    .filter(Boolean);

/** Return whether the name contains these words, adjacent and whole. */
export function containsWord(name: string, whole: string[]): boolean {
  const words = wordsOf(name);
  const wanted = whole.flatMap(wordsOf);
  return words.some((_, place) => wanted.every((one, step) => words[place + step] === one));
}

/** Return whether the typed unit differs from the product's unit. */
export function isOtherUnit(written: string | undefined, unit: string | null): boolean {
  if (!written || !unit) return false;
  const bare = unit.trim().toLowerCase().replace(/\.$/, '');
  return (UNITS[bare] ?? bare) !== written;
}
