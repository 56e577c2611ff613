/** So many characters, at so many milliseconds from one to the next on average, no person types. */
const CHARACTERS = 5;
const ON_AVERAGE = 35;
/** A longer pause ends a burst. */
export const PAUSE = 100;

type Key = Pick<KeyboardEvent, 'key' | 'timeStamp' | 'repeat' | 'altKey' | 'ctrlKey' | 'metaKey'>;

/**
 * Tells a scanner from a person by the pace of the keys that come to one field. It goes by `event.timeStamp`, when the
 * key was pressed: on a page that is busy for a moment, what a person typed comes all at once.
 */
export class Pace {
  /** The characters of the burst that goes on, or of what might become one. */
  text = '';
  /** Whether they came from a scanner. */
  isScan = false;
  #first = 0;
  #last = 0;

  /** Notes a key: the first character of what may become a burst, a scanner's, another one, or none at all. */
  press({ key, timeStamp, repeat, altKey, ctrlKey, metaKey }: Key): 'first' | 'scanned' | 'typed' | 'none' {
    // What is held down repeats as quickly as a scanner writes.
    if (key.length !== 1 || repeat || metaKey || (ctrlKey && !altKey)) return 'none';
    const begins = this.text === '' || timeStamp - this.#last > PAUSE;
    if (begins) {
      this.end();
      this.#first = timeStamp;
    }
    this.text += key;
    this.#last = timeStamp;
    if (begins) return 'first';
    const { length } = this.text;
    this.isScan ||= length >= CHARACTERS && (timeStamp - this.#first) / (length - 1) < ON_AVERAGE;
    return this.isScan ? 'scanned' : 'typed';
  }

  /** Whether this is the Enter or Tab with which a scanner ends a code: it is meant for nothing on the page. */
  isSuffix({ key, timeStamp }: Key): boolean {
    return (key === 'Enter' || key === 'Tab') && this.isScan && timeStamp - this.#last <= PAUSE;
  }

  /** The code is dealt with. */
  end() {
    this.text = '';
    this.isScan = false;
  }
}
