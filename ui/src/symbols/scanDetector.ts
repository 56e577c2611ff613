/** A person does not type this many characters at this mean pause. */
const MIN_SCAN_LENGTH = 5;
const MEAN_PAUSE_MS = 35;
/** A longer pause ends a burst. */
const BURST_PAUSE_MS = 100;
/**
 * Group separator between the parts of a symbol. It has no key: scanners press Ctrl+], or Alt+029 on the number pad.
 */
export const GS = '\x1d';

type Key = Pick<KeyboardEvent, 'key' | 'timeStamp' | 'repeat' | 'altKey' | 'ctrlKey' | 'metaKey'> & {
  code?: string;
};

/**
 * Kinds of keys.
 *
 * First character of a possible burst, from a scanner, other character, no character.
 */
export type KeyKind = 'first' | 'scanned' | 'typed' | 'none';

/**
 * Detector of scanner input in one field, by the pace of its keys.
 *
 * It uses `event.timeStamp`, when the key was pressed, because a busy page receives what a person typed all at once.
 */
export class ScanDetector {
  /** The characters of the current or possible burst. */
  text = '';
  /** Whether a scanner typed them. */
  isScan = false;
  #first = 0;
  #last = 0;
  /** Number of keys pressed: a separator takes more than one. */
  #strokes = 0;
  /** Digits typed on the number pad with Alt. */
  #alt = '';
  /** Whether the last handled code came from a scanner, so that its suffix may follow. */
  #wasScan = false;

  /** Note a key. */
  press(key: Key): KeyKind {
    const character = this.#characterOf(key);
    if (character === null) return 'none';
    const { timeStamp } = key;
    const begins = this.text === '' || timeStamp - this.#last > BURST_PAUSE_MS;
    const separator = begins ? '' : this.takeSeparator();
    if (begins) {
      this.end();
      this.#wasScan = false;
      this.#first = timeStamp;
      this.#strokes = 0;
    }
    this.text += separator + character;
    this.#strokes += 1;
    this.#last = timeStamp;
    if (begins) return 'first';
    this.isScan ||=
      this.text.length >= MIN_SCAN_LENGTH && (timeStamp - this.#first) / (this.#strokes - 1) < MEAN_PAUSE_MS;
    return this.isScan ? 'scanned' : 'typed';
  }

  /** Return the separator if Alt with digits was pressed for it, which only the next key shows. */
  takeSeparator(): string {
    const isSeparator = /^0*29$/.test(this.#alt);
    this.#alt = '';
    return isSeparator ? GS : '';
  }

  /** Return whether the key is the Enter or Tab with which a scanner ends a code, not meant for the page. */
  isSuffix({ key, timeStamp }: Key): boolean {
    const ends = key === 'Enter' || key === 'Tab';
    return ends && (this.isScan || this.#wasScan) && timeStamp - this.#last <= BURST_PAUSE_MS;
  }

  /** Mark the code as handled. */
  end() {
    this.#wasScan ||= this.isScan;
    this.text = '';
    this.isScan = false;
    this.#alt = '';
  }

  #characterOf({ key, code, timeStamp, repeat, altKey, ctrlKey, metaKey }: Key): string | null {
    // A held key repeats as fast as a scanner types.
    if (repeat || metaKey) return null;
    if (isSeparatorKey({ key, code, altKey, ctrlKey })) return GS;
    if (altKey && !ctrlKey && code && /^Numpad\d$/.test(code)) {
      this.#alt += code.slice(-1);
      // Within a burst, these keys count for its pauses and pace.
      if (this.text !== '' && timeStamp - this.#last <= BURST_PAUSE_MS) {
        this.#last = timeStamp;
        this.#strokes += 1;
      }
      return null;
    }
    return key.length !== 1 || (ctrlKey && !altKey) ? null : key;
  }
}

/**
 * Return whether the key is Ctrl+] on any layout.
 *
 * That is how most scanners type GS. No field uses it.
 */
export const isSeparatorKey = ({
  key,
  code,
  altKey,
  ctrlKey,
}: Pick<Key, 'key' | 'code' | 'altKey' | 'ctrlKey'>) =>
  ctrlKey && !altKey && (code === 'BracketRight' || key === ']' || key === GS);
