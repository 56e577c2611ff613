/*
 * Repair of texts that a scanner typed for another keyboard layout.
 *
 * It equals domain/scanning/keyboard_layout.py. Both are tested with tests/search_cases.json.
 */

/** What a Spanish or Latin American keyboard produces when the scanner types for a US one. */
const ARRIVES = '\'?-_()=+*/&;:ñÑ"·çÇºª';
const MEANT = '-_/?*()]}&^<>;:@#\\|`~';
/** The same key is + or = on the two keyboards: the + of HIBC at the beginning, the = of a link elsewhere. */
const PLUS_OR_EQUALS = '¡¿';

const written = (text: string, from: string, to: string) =>
  [...text].map((character) => to[from.indexOf(character)] ?? character).join('');

/**
 * Return the text for other layouts, the most likely first.
 *
 * The text itself is never among them.
 */
export function forOtherKeyboards(text: string): string[] {
  const american = written(text, ARRIVES + PLUS_OR_EQUALS, `${MEANT}==`);
  const begins = text !== '' && PLUS_OR_EQUALS.includes(text.charAt(0));
  const others = [begins ? `+${american.slice(1)}` : american, written(text, MEANT, ARRIVES)];
  return [...new Set(others)].filter((other) => other !== text);
}

/**
 * Return whether the text has characters that no code has.
 *
 * A scanner with another layout types such characters.
 */
export const isOfOtherKeyboard = (text: string) => /['ñÑçÇºª·¡¿´`¨]/.test(text);
