import { GS, isSeparatorKey } from './scanDetector';

/** What came from a scanner, or from whoever plays one, key by key. */
export interface Keystroke {
  character: string;
  /** Milliseconds after the one before; none for the first, and for what was pasted. */
  after: number | null;
}

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'timeStamp' | 'altKey' | 'ctrlKey' | 'metaKey' | 'repeat'>;

const NAMES = ['NUL', 'SOH', 'STX', 'ETX', 'EOT', 'ENQ', 'ACK', 'BEL', 'BS', 'TAB', 'LF', 'VT', 'FF', 'CR'];
const LAST_NAMES: Record<number, string> = { 27: 'ESC', 28: 'FS', 29: 'GS', 30: 'RS', 31: 'US', 127: 'DEL' };

/** What a character that cannot be seen is called; null where it can. */
export function nameOf(character: string): string | null {
  const code = character.codePointAt(0) as number;
  if (character === ' ') return 'SP';
  if (code > 31 && code !== 127) return null;
  return NAMES[code] ?? LAST_NAMES[code] ?? `0x${code.toString(16).padStart(2, '0')}`;
}

/**
 * Collects what arrives at one field. Browsers tell most of it as keys; a separator comes as Ctrl+], as Alt and 029 on
 * the number pad, which some systems turn into the character itself and others into nothing, or as a text that is inserted.
 */
export class KeystrokeLog {
  readonly list: Keystroke[] = [];
  #last: number | null = null;
  /** What Alt and the number pad have spelt so far. */
  #pad = '';
  /** Whether the key before was counted, so that its insertion is not counted again. */
  #counted = false;

  get text(): string {
    return this.list.map(({ character }) => character).join('');
  }

  /** Notes a key. Returns whether the browser is to do nothing with it. */
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

  /** Notes that a key was let go. */
  release({ key, timeStamp }: Key) {
    if (key !== 'Alt') return;
    if (/^0*29$/.test(this.#pad)) this.#add(GS, timeStamp);
    this.#pad = '';
  }

  /** Notes what was put into the field: pasted, or by a keyboard that tells no keys. */
  insert(text: string, timeStamp: number | null) {
    if (this.#counted) {
      this.#counted = false;
      return;
    }
    for (const character of text) this.#add(character, timeStamp);
  }

  #add(character: string, at: number | null) {
    // Spelt on the number pad and inserted besides, it is one.
    if (character === GS && this.list.at(-1)?.character === GS) return;
    this.list.push({
      character,
      after: at === null || this.#last === null ? null : Math.round(at - this.#last),
    });
    this.#last = at;
  }
}
