/*
 * Texts that a scanner typed for another keyboard layout than the computer's: as domain/keyboard_layout.py has them.
 * tests/search_cases.json is tried on both.
 */

/** What arrives on a Spanish or Latin American keyboard when the scanner types for an American one. */
const ARRIVES = '\'?-_()=+*/&;:ñÑ"·çÇºª';
const MEANT = '-_/?*()]}&^<>;:@#\\|`~';
/** The same key is + or = on the two keyboards; at the beginning it is the + of HIBC, elsewhere the = of a link. */
const PLUS_OR_EQUALS = '¡¿';

const written = (text: string, from: string, to: string) =>
  [...text].map((character) => to[from.indexOf(character)] ?? character).join('');

/** What the text would be if the scanner typed for another keyboard, the likeliest first; never the text itself. */
export function forOtherKeyboards(text: string): string[] {
  const american = written(text, ARRIVES + PLUS_OR_EQUALS, `${MEANT}==`);
  const begins = text !== '' && PLUS_OR_EQUALS.includes(text.charAt(0));
  const others = [begins ? `+${american.slice(1)}` : american, written(text, MEANT, ARRIVES)];
  return [...new Set(others)].filter((other) => other !== text);
}

/** Whether the text holds signs that no code has, as where a scanner types for another keyboard. */
export const isOfOtherKeyboard = (text: string) => /['ñÑçÇºª·¡¿´`¨]/.test(text);
