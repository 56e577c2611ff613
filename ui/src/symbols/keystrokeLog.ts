import { GS, isSeparatorKey } from './scanDetector';

/** A character from a scanner, or from a user who imitates one. */
export interface Keystroke {
  character: string;
  /** Milliseconds since the previous character; null for the first, and for pasted ones. */
  after: number | null;
}

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'timeStamp' | 'altKey' | 'ctrlKey' | 'metaKey' | 'repeat'>;

const NAMES = ['NUL', 'SOH', 'STX', 'ETX', 'EOT', 'ENQ', 'ACK', 'BEL', 'BS', 'TAB', 'LF', 'VT', 'FF', 'CR'];
const LAST_NAMES: Record<number, string> = { 27: 'ESC', 28: 'FS', 29: 'GS', 30: 'RS', 31: 'US', 127: 'DEL' };

/** Return the name of an invisible character; null for others. */
export function nameOf(character: string): string | null {
  const code = character.codePointAt(0) as number;
  if (character === ' ') return 'SP';
  if (code > 31 && code !== 127) return null;
  return NAMES[code] ?? LAST_NAMES[code] ?? `0x${code.toString(16).padStart(2, '0')}`;
}

/**
 * Log of the characters that arrive in one field.
 *
 * Browsers report most of them as keys. A separator arrives as Ctrl+], as inserted text, or as Alt+029 on the number
 * pad, which some systems turn into the character and others drop.
 */
export class KeystrokeLog {
  readonly list: Keystroke[] = [];
  #last: number | null = null;
  /** Digits typed on the number pad with Alt. */
  #pad = '';
  /** Whether the last key was logged, so that its insertion is not logged again. */
  #counted = false;

  get text(): string {
    return this.list.map(({ character }) => character).join('');
  }

  /** Log a key. Return whether to prevent the browser's default. */
  press(event: Key): boolean {
    const { key, code, timeStamp, altKey, ctrlKey, metaKey, repeat } = event;
    this.#counted = false;
    if (isSeparatorKey(event)) {
      this.#add(GS, timeStamp);
      return true;
    }
    if (altKey && !ctrlKey && /^Numpad\d$/.test(code)) {
      this.#pad += code.slice(-1);
      return false;
    }
    if (key.length !== 1 || repeat || metaKey || (altKey !== ctrlKey && (altKey || ctrlKey))) return false;
    this.#add(key, timeStamp);
    this.#counted = true;
    return false;
  }

  /** Log the release of a key. */
  release({ key, timeStamp }: Key) {
    if (key !== 'Alt') return;
    if (/^0*29$/.test(this.#pad)) this.#add(GS, timeStamp);
    this.#pad = '';
  }

  /** Log inserted text: pasted, or from a keyboard that reports no keys. */
  insert(text: string, timeStamp: number | null) {
    if (this.#counted) {
      this.#counted = false;
      return;
    }
    for (const character of text) this.#add(character, timeStamp);
  }

  #add(character: string, at: number | null) {
    // An Alt code that is also inserted counts once.
    if (character === GS && this.list.at(-1)?.character === GS) return;
    this.list.push({
      character,
      after: at === null || this.#last === null ? null : Math.round(at - this.#last),
    });
    this.#last = at;
  }
}
