/*
 * Text folding for offline comparisons and searches.
 *
 * It equals domain/common/text.py. Both are tested with tests/search_cases.json.
 */

const caseless = (text: string) => text.toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');

/** Invisible characters: zero-width ones, soft hyphens, direction marks and controls, byte order marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Fold case, accents and repeated spaces. */
function fold(text: string) {
  const plain = caseless(text.replace(INVISIBLE, '').normalize('NFKD').replace(/\p{M}/gu, ''));
  return plain.split(/\s+/).filter(Boolean).join(' ');
}

const withX = (text: string) => text.replace(/[×✕✖⨯]/g, 'x');

/**
 * Fold a product's name for searches.
 *
 * `10x10` finds `10 × 10`, and `microgotero` finds `Micro-gotero`.
 */
export function foldProduct(name: string) {
  const folded = fold(withX(name).replace(/[\u2010\u2011\u2013]/g, '-'));
  const joined = folded.replace(/-/g, (hyphen, at: number) => {
    const [before, after] = [folded.charAt(at - 1), folded.charAt(at + 1)];
    const isBeside = (letter: string, other: string) => /\p{L}/u.test(letter) && /[\p{L}\p{N}_]/u.test(other);
    return isBeside(before, after) || isBeside(after, before) ? '' : hyphen;
  });
  return joined.replace(/(\d) ?x ?(?=\d)/g, '$1x');
}

/**
 * Split a search into folded words.
 *
 * A product matches if its folded name contains each of them.
 */
export const productWords = (text: string) =>
  foldProduct(text)
    .split(' ')
    .filter(Boolean)
    .map((word) => word.replace(/^-+|-+$/g, '') || word);

/** Fold a code to its letters and digits: `mc0005` finds `MC-0005`. */
export const foldCode = (code: string) => fold(withX(code)).replace(/[^\p{L}\p{N}]/gu, '');

/** Minimum number of letters and digits that find codes which begin with them (prefix), or contain them (part). */
export const MIN_CODE_PREFIX = 2;
export const MIN_CODE_PART = 3;

const DASHES =
  /[\u02d7\u058a\u05be\u1806\u2010-\u2015\u2043\u207b\u208b\u2212\u2796\u2e3a\u2e3b\ufe31\ufe32\ufe58\ufe63\uff0d]/g;
const BLANKS = /[ \t\r\n\u2028\u2029\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]+/g;

/**
 * Fold codes, lots, serial numbers and record numbers that people read as equal to the same text.
 *
 * It ignores case, blanks, invisible characters, full width and the kind of hyphen.
 */
export const codeKey = (code: string) =>
  caseless(withX(code.replace(INVISIBLE, '').replace(DASHES, '-')).normalize('NFKC').replace(BLANKS, ''));

/**
 * Fold names that look the same to the same text.
 *
 * It ignores case and invisible characters, and unifies dashes and spaces.
 */
export const caseFold = (text: string) =>
  caseless(
    text
      .normalize('NFC')
      .replace(/[\u2010\u2011\u2212\uff0d]/g, '-')
      .replace(INVISIBLE, '')
      .replace(BLANKS, ' ')
      .trim(),
  );

/** Fold the name of an area or kit for searches. */
export const foldName = fold;

/**
 * Fold a person's name for searches.
 *
 * `Núñez, Ana` equals `nunez-ana`, and `O’Donnell` equals `ODonnell`.
 */
export const foldPerson = (name: string) =>
  fold(
    name
      .replace(/['\u2019\u2018\u201b\u02bc\u02b9\u02bb\u2032\uff07\u00b4`]/g, '')
      .replace(DASHES, '-')
      .replace(/[-.,;]+/g, (signs, at: number, whole) => {
        const isBetweenDigits = isDigit(whole.charAt(at - 1)) && isDigit(whole.charAt(at + 1));
        return signs.length === 1 && isBetweenDigits ? signs : ' ';
      }),
  );

const isDigit = (character: string) => /\p{Nd}/u.test(character);

/** Normalize a record number: its key without separators. */
export const numberCode = (number: string) => codeKey(number).replace(/[-./_]/g, '');
