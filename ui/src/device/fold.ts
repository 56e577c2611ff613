/*
 * How texts are compared while there is no network: as domain/text.py compares them. tests/search_cases.json is tried
 * on both.
 */

const caseless = (text: string) => text.toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');

/** Characters without ink: zero-width ones, soft hyphens, marks and controls of direction, byte order marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Without case, accents and doubled blanks. */
function fold(text: string) {
  const plain = caseless(text.replace(INVISIBLE, '').normalize('NFKD').replace(/\p{M}/gu, ''));
  return plain.split(/\s+/).filter(Boolean).join(' ');
}

const withX = (text: string) => text.replace(/[×✕✖⨯]/g, 'x');

/** A product's name as it is searched: `10x10` finds `10 × 10`, `microgotero` finds `Micro-gotero`. */
export function foldProduct(name: string) {
  const folded = fold(withX(name).replace(/[\u2010\u2011\u2013]/g, '-'));
  const joined = folded.replace(/-/g, (hyphen, at: number) => {
    const [before, after] = [folded.charAt(at - 1), folded.charAt(at + 1)];
    const isBeside = (letter: string, other: string) => /\p{L}/u.test(letter) && /[\p{L}\p{N}_]/u.test(other);
    return isBeside(before, after) || isBeside(after, before) ? '' : hyphen;
  });
  return joined.replace(/(\d) ?x ?(?=\d)/g, '$1x');
}

/** The words of a search, each of which a product's folded name holds. */
export const productWords = (text: string) =>
  foldProduct(text)
    .split(' ')
    .filter(Boolean)
    .map((word) => word.replace(/^-+|-+$/g, '') || word);

/** A code's letters and digits: `mc0005` finds `MC-0005`. */
export const foldCode = (code: string) => fold(withX(code)).replace(/[^\p{L}\p{N}]/gu, '');

/** The letters and digits by which a code is found that begins with them, or has them anywhere. */
export const MIN_CODE_PREFIX = 2;
export const MIN_CODE_PART = 3;

/** What two codes share that look the same. */
export const caseFold = (text: string) =>
  caseless(
    text
      .normalize('NFC')
      .replace(/[\u2010\u2011\u2212\uff0d]/g, '-')
      .replace(INVISIBLE, '')
      .replace(/[ \t\r\n\u2028\u2029\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]+/g, ' ')
      .trim(),
  );

/** An area's or a kit's name as it is searched. */
export const foldName = fold;

/** A person's name as it is searched: `Núñez, Ana` and `nunez-ana` are one, and so are `O’Donnell` and `ODonnell`. */
export const foldPerson = (name: string) =>
  fold(
    name
      .replace(/['\u2019\u2018\u201b\u02bc\u02b9\u02bb\u2032\uff07\u00b4`]/g, '')
      .replace(/[\u2010-\u2015\u2212\uff0d]/g, '-')
      .replace(/[-.,;]+/g, (signs, at: number, whole) => {
        const isBetweenDigits = isDigit(whole.charAt(at - 1)) && isDigit(whole.charAt(at + 1));
        return signs.length === 1 && isBetweenDigits ? signs : ' ';
      }),
  );

const isDigit = (character: string) => /\p{Nd}/u.test(character);

/** A GTIN in its 14 digits. */
export const gtinKey = (digits: string) => digits.padStart(14, '0');

/** Whether it is an item number of zeros, or one digit over and over, where a GTIN is not known. */
const isFiller = (digits: string) => /^(?:\d(?=\d{13}$))?0+\d$/.test(digits) || /^0*(\d)\1*$/.test(digits);

/** Whether these are as many digits as a GTIN has, the last of which checks the others, and no filler. */
export function isGtin(digits: string) {
  if (!/^(\d{8}|\d{12,14})$/.test(digits) || isFiller(digits)) return false;
  return hasRightCheckDigit(digits);
}

/** Whether the last digit checks the others, as in the numbers of GS1. */
export function hasRightCheckDigit(digits: string) {
  const sum = [...digits].reverse().reduce((so, digit, place) => so + Number(digit) * (place % 2 ? 3 : 1), 0);
  return sum % 10 === 0;
}

/** What two spellings of a record number share, with its separators and without them. */
export const numberCode = (number: string) => caseFold(number).replace(/[-./ _]/g, '');
