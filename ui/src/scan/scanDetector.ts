/** So many characters, at so many milliseconds from one to the next on average, no person types. */
const MIN_SCAN_LENGTH = 5;
const MEAN_PAUSE_MS = 35;
/** A longer pause ends a burst. */
const BURST_PAUSE_MS = 100;
/** Stands between the parts of a symbol. No key writes it: scanners press Ctrl+], or Alt with 029 on the number pad. */
export const GS = '\x1d';

type Key = Pick<KeyboardEvent, 'key' | 'timeStamp' | 'repeat' | 'altKey' | 'ctrlKey' | 'metaKey'> & {
  code?: string;
};

/** What a key is: the first character of what may become a burst, a scanner's, another one, or none at all. */
export type KeyKind = 'first' | 'scanned' | 'typed' | 'none';

/**
 * Tells a scanner from a person by the pace of the keys that come to one field. It goes by `event.timeStamp`, when the
 * key was pressed: on a page that is busy for a moment, what a person typed comes all at once.
 */
export class ScanDetector {
  /** The characters of the burst that goes on, or of what might become one. */
  text = '';
  /** Whether they came from a scanner. */
  isScan = false;
  #first = 0;
  #last = 0;
  /** How many keys it took: a separator takes more than one. */
  #strokes = 0;
  /** What is pressed on the number pad while Alt is held. */
  #alt = '';
  /** Whether what was dealt with came from a scanner: its suffix may be on its way. */
  #wasScan = false;

  /** Notes a key. */
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

  /** The separator that was pressed as Alt with digits, if it was: known with the key that follows. */
  takeSeparator(): string {
    const isSeparator = /^0*29$/.test(this.#alt);
    this.#alt = '';
    return isSeparator ? GS : '';
  }

  /** Whether this is the Enter or Tab with which a scanner ends a code: it is meant for nothing on the page. */
  isSuffix({ key, timeStamp }: Key): boolean {
    const ends = key === 'Enter' || key === 'Tab';
    return ends && (this.isScan || this.#wasScan) && timeStamp - this.#last <= BURST_PAUSE_MS;
  }

  /** The code is dealt with. */
  end() {
    this.#wasScan ||= this.isScan;
    this.text = '';
    this.isScan = false;
    this.#alt = '';
  }

  #characterOf({ key, code, timeStamp, repeat, altKey, ctrlKey, metaKey }: Key): string | null {
    // What is held down repeats as quickly as a scanner writes.
    if (repeat || metaKey) return null;
    if (isSeparatorKey({ key, code, altKey, ctrlKey })) return GS;
    if (altKey && !ctrlKey && code && /^Numpad\d$/.test(code)) {
      this.#alt += code.slice(-1);
      // Within a burst: its pauses and its pace are those of all its keys.
      if (this.text !== '' && timeStamp - this.#last <= BURST_PAUSE_MS) {
        this.#last = timeStamp;
        this.#strokes += 1;
      }
      return null;
    }
    return key.length !== 1 || (ctrlKey && !altKey) ? null : key;
  }
}

/** How most scanners type GS: Ctrl+], on whatever keyboard. No field takes it. */
export const isSeparatorKey = ({
  key,
  code,
  altKey,
  ctrlKey,
}: Pick<Key, 'key' | 'code' | 'altKey' | 'ctrlKey'>) =>
  ctrlKey && !altKey && (code === 'BracketRight' || key === ']' || key === GS);
