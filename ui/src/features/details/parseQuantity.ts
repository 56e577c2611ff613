import { type Decimal, readDecimal } from '@/i18n/decimal';

/** One thing that a typed text may mean: so much of what these words find, or what the whole of it finds. */
export interface QuantityInterpretation {
  /** What to look for. */
  words: string;
  /** How much; a text where it may be one number or another, which is asked. Absent where nothing was said of it. */
  quantity?: Decimal;
  /** The unit that was written with it, by one name for all its spellings. */
  unit?: string;
  /** What must stand in a product's name as words of their own: `3` is no part of `30`. */
  whole?: string[];
}

const NUMBER = String.raw`(?:\d{1,6}(?:[.,]\d{1,3})?|[.,]\d{1,3})`;

/** What people write for a unit, by the one name that is compared. Pieces of anything are no unit. */
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

/** With these a number names a size of the product before it is a quantity of it: `10 ml jeringa`. */
const MEASURES = ['ml', 'l', 'g', 'mg', 'mm', 'cm', 'fr', 'ch'];

const spellings = [...new Set([...Object.keys(UNITS), ...MEASURES])].sort((a, b) => b.length - a.length);

const TIMES_IN_FRONT = new RegExp(String.raw`^(${NUMBER})\s*(?:[×*]|x(?![a-wyz]))\s*(\S.*)$`, 'iu');
const TIMES_BEHIND = new RegExp(String.raw`^(.*\S)(?:\s*[×*]|\s+x)\s*(${NUMBER})$`, 'iu');
const WITH_UNIT = new RegExp(String.raw`^(${NUMBER})\s*(${spellings.join('|')})\.?\s+(\S.*)$`, 'iu');
const IN_FRONT = new RegExp(String.raw`^(${NUMBER})\s+(\S.*)$`, 'u');

const hasLetter = (text: string) => /\p{L}/u.test(text);
const isSize = (text: string) => /\d$/.test(text);

/**
 * What a text may mean, the likeliest first: `3 gasa`, `gasa x3` and `0,5 l suero` say how much. Where the number may
 * as well belong to a name, both are told, so that the person sees which is which before anything is recorded.
 */
export function parseQuantity(text: string): QuantityInterpretation[] {
  const words = text.trim().replace(/\s+/g, ' ');
  const asWritten: QuantityInterpretation = { words };
  if (!hasLetter(words) && !/[x×*]/i.test(words)) return [asWritten];

  const [, front, ofFront] = TIMES_IN_FRONT.exec(words) ?? [];
  // `102371*4`: of two numbers the long one is a code.
  if (front && ofFront && !(/^\d{5,}$/.test(front) && /^\d{1,4}$/.test(ofFront))) {
    // `10 x 10 gasa`: between two numbers it is a size.
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
    // A unit says that the mark is a decimal one.
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

/** `10ml` and `10 ml`, `0,9` and `0.9` are the same words. */
const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(',', '.')
    .replace(/(\d)(\p{L})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .split(/[^\p{L}\d.]+|\.(?!\d)/u)
    .filter(Boolean);

/** Whether these stand in the name, side by side and as words of their own. */
export function containsWord(name: string, whole: string[]): boolean {
  const words = wordsOf(name);
  const wanted = whole.flatMap(wordsOf);
  return words.some((_, place) => wanted.every((one, step) => words[place + step] === one));
}

/** Whether what was written with the number is another unit than the one by which the product is counted. */
export function isOtherUnit(written: string | undefined, unit: string | null): boolean {
  if (!written || !unit) return false;
  const bare = unit.trim().toLowerCase().replace(/\.$/, '');
  return (UNITS[bare] ?? bare) !== written;
}
