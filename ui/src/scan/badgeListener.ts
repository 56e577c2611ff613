import { ScanDetector } from '@/symbols/scanDetector';

type Key = Parameters<ScanDetector['press']>[0];

/** A longer pause begins another text, in milliseconds. No scanner pauses this long. */
const PAUSE_MS = 250;
/** Number of characters of the shortest badge. */
const MIN_BADGE_LENGTH = 6;
/** Number of digits of a PIN, which is typed where badges are scanned. */
const PIN_LENGTH = 6;

/** Meaning of a key: part of a scan, the end of a scanned badge, or anything else. */
export type HeardKey = { is: 'burst' } | { is: 'badge'; badge: string } | { is: 'other' };

/**
 * Listener for scanned badges among the keys of a screen on which PINs are typed.
 *
 * A scan is known by its pace, or by its end with Enter if it cannot be a PIN.
 */
export class BadgeListener {
  readonly #detector = new ScanDetector();
  #text = '';
  #last = 0;

  /** Note a key. In a field for other text, such as a password, only the pace tells a scan. */
  press(key: Key, isInText = false): HeardKey {
    if (key.key === 'Enter' || key.key === 'Tab') return this.#end(key.timeStamp, isInText);
    const kind = this.#detector.press(key);
    if (kind === 'none') return { is: 'other' };
    if (key.timeStamp - this.#last > PAUSE_MS) this.#text = '';
    this.#last = key.timeStamp;
    this.#text += key.key.length === 1 ? key.key : '';
    return { is: kind === 'scanned' ? 'burst' : 'other' };
  }

  /** Return the scan that ended without Enter, after a rest. */
  rest(): HeardKey {
    return this.#detector.isScan ? this.#end(this.#last, false) : { is: 'other' };
  }

  #end(at: number, isInText: boolean): HeardKey {
    const { isScan, text } = this.#detector;
    const badge = isScan ? text : this.#text;
    const isInTime = at - this.#last <= PAUSE_MS;
    this.#detector.end();
    this.#text = '';
    const isTyped = !isScan && (isInText || (badge.length <= PIN_LENGTH && /^\d*$/.test(badge)));
    return isInTime && !isTyped && badge.length >= MIN_BADGE_LENGTH
      ? { is: 'badge', badge }
      : { is: 'other' };
  }
}
