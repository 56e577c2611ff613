import type { Decimal } from '@/i18n/decimal';
import { readDecimal } from '@/i18n/decimal';
import { isBarCode, isCertainCode, splitTimes } from './codes';
import { GS, isSeparatorKey } from './scanDetector';

/** Kinds of fields, by what Enter does in them. */
export type FieldKind =
  /** The record bar: its text is first of all a code, then a search. */
  | 'bar'
  /** A field for a number. */
  | 'number'
  /** Another text field, or a selector. */
  | 'text'
  /** A search field whose Enter opens the result. */
  | 'search'
  /** A button, a menu, the page. */
  | 'none';

export interface Field {
  kind: FieldKind;
  /** Identity of the field. */
  id: unknown;
  /** The field's value before the key. */
  value: string;
  /** Whether Enter chooses from a list that the field has open. */
  hasChoice?: boolean;
}

export type Key = Pick<
  KeyboardEvent,
  'key' | 'code' | 'timeStamp' | 'repeat' | 'altKey' | 'ctrlKey' | 'metaKey'
>;

/**
 * The meaning of a completed text.
 *
 * `rest` is the field's value without the code.
 */
export type Verdict =
  | { is: 'nothing' }
  | { is: 'scan'; code: string; rest: string; times?: Decimal }
  /** The field's text is also the code of a product: ask the user. */
  | { is: 'question'; code: string; rest: string }
  /** It may be a code: only a lookup knows. */
  | { is: 'unclear'; code: string; rest: string; times?: Decimal };

interface Stroke {
  character: string;
  at: number;
  id: unknown;
  /** The field's value before the keystroke. */
  before: string;
}

/** A longer pause may separate typed text from a scan, but never splits a scan by itself. */
const PAUSE_MS = 100;
/** A lower mean pause hints at a scanner. */
const SCANNER_PACE_MS = 35;
/** Parts of a scan that arrive in different fields are joined up to this pause. */
const JOIN_MS = 700;
const MAX_STROKES = 512;
/** Fewer digits after a typed number belong to it, unless they arrive at a scanner's pace. */
const MIN_CODE_BEHIND_NUMBER = 3;
/** A shorter text on the page itself is not an unknown code: it may be a key pressed by accident. */
const MIN_UNKNOWN_LENGTH = 4;
/** More digits are no quantity: the largest is 9,999.999. */
const MIN_NO_QUANTITY = 5;
const NOTHING: Verdict = { is: 'nothing' };

/**
 * Return whether Android reports the key without its character.
 *
 * Only the input event has the character.
 */
const isComposed = ({ key }: Key) => key === 'Unidentified' || key === 'Process';

/**
 * Recognizer of scans among the keys of a page, by what they spell.
 *
 * A code ends with Enter or Tab. Pace and pauses decide nothing, except where an unknown or short text may have been
 * typed over something else.
 */
export class KeyboardScanner {
  #strokes: Stroke[] = [];
  #alt = '';
  readonly #isKnown: (code: string) => boolean | undefined;

  /** `isKnown` says whether a product has the code; undefined if the device does not know the catalogue. */
  constructor(isKnown: (code: string) => boolean | undefined) {
    this.#isKnown = isKnown;
  }

  /** Note a key other than Enter or Tab, and return its character, if any. */
  press(key: Key, field: Field): string | null {
    const { timeStamp } = key;
    if (key.repeat && key.key.length === 1) {
      this.clear();
      return null;
    }
    if (key.altKey && !key.ctrlKey && key.code && /^Numpad\d$/.test(key.code)) {
      this.#alt += key.code.slice(-1);
      return null;
    }
    const character = isSeparatorKey(key) ? GS : key.key;
    const isModifier = /^(Shift|Control|Alt|AltGraph|CapsLock|NumLock|Meta)$/.test(key.key);
    if (isModifier || isComposed(key)) return null;
    if (character.length !== 1 || key.metaKey || (key.ctrlKey && !key.altKey && character !== GS)) {
      this.clear();
      return null;
    }
    const last = this.#strokes.at(-1);
    if (last && last.id !== field.id && timeStamp - last.at > JOIN_MS) this.clear();
    if (this.#strokes.length === MAX_STROKES) this.#strokes.shift();
    // Alt+029 is only recognized as the separator with the next key.
    const separator = /^0*29$/.test(this.#alt) ? GS : '';
    this.#alt = '';
    this.#strokes.push({
      character: separator + character,
      at: timeStamp,
      id: field.id,
      before: field.value,
    });
    return character;
  }

  /** Forget the keys: the cursor was moved, or something was deleted or clicked. */
  clear() {
    this.#strokes = [];
    this.#alt = '';
  }

  /** Whether the keys since the last pause came at a scanner's pace, so that they may be a scan without Enter. */
  get isQuick(): boolean {
    const strokes = this.#strokes.slice(this.#starts().at(-1) ?? 0);
    const [first] = strokes;
    const last = strokes.at(-1);
    if (!first || !last || strokes.length < 2) return false;
    return (last.at - first.at) / (strokes.length - 1) < SCANNER_PACE_MS;
  }

  /** Number of noted keys. */
  get length() {
    return this.#strokes.length;
  }

  /** Interpret and forget the text before Enter or Tab. `at` is the time of that key. */
  end(field: Field, at: number): Verdict {
    const verdict = this.#verdict(field, at);
    this.clear();
    return verdict;
  }

  #verdict(field: Field, at: number): Verdict {
    if (field.kind === 'bar') return this.#inBar(field, at);
    if (field.kind === 'none') return this.#onPage(at);
    const scan = this.#certain(field) ?? this.#quick(field, at);
    if (scan) return scan;
    const text = field.value.trim();
    if (text === '') return NOTHING;
    if (field.kind === 'number') return this.#inNumber(field, at, text);
    // Text from before these keys was not scanned now.
    if (field.kind === 'text' && text === this.#text(0).trim() && this.#isKnown(text) === true)
      return { is: 'question', code: text, rest: this.#before(0, field) };
    return NOTHING;
  }

  #inBar(field: Field, at: number): Verdict {
    const value = field.value.trim();
    const typed = this.#text(0).trim();
    const isCode = (code: string) => isBarCode(code) || this.#isKnown(code) === true;
    // The field's value lacks the separators, and the keys of a code that arrived elsewhere while the focus moved.
    const isSplit = this.#strokes.some(({ id }) => id !== field.id) && isCode(typed);
    const text = isSplit || withoutSeparators(typed) === withoutSeparators(value) ? typed : value;
    if (text === '') return NOTHING;
    if (isCode(text)) return { is: 'scan', code: text, rest: '' };
    const several = splitTimes(text);
    if (several && isCode(several.code)) return { is: 'scan', ...several, rest: '' };
    return (
      this.#certain(field) ?? this.#quick(field, at) ?? this.#mayBeCode(field, several ?? { code: text })
    );
  }

  /**
   * Look up text that resembles a code: it may be a patient's number, or the device has no catalogue.
   *
   * Words with a digit, such as `10x10`, choose the product that the list offers.
   */
  #mayBeCode(field: Field, found: { code: string; times?: Decimal }): Verdict {
    if (!looksLikeCode(found.code)) return NOTHING;
    const isChoice = field.hasChoice && !/^\d+$/.test(found.code);
    if (isChoice && this.#isKnown(found.code) !== undefined) return NOTHING;
    return { is: 'unclear', ...found, rest: '' };
  }

  #inNumber(field: Field, at: number, text: string): Verdict {
    const isNumber = typeof readDecimal(text) === 'number';
    const behind = this.#starts().filter(
      (from) => this.#text(from).length >= MIN_CODE_BEHIND_NUMBER || this.#isScannedFrom(from, at),
    );
    const candidates = [
      { code: text, rest: this.#before(0, field) },
      ...behind.map((from) => ({ code: this.#text(from).trim(), rest: this.#before(from, field) })),
    ];
    for (const { code, rest } of candidates) {
      if (code === '' || !text.endsWith(code)) continue;
      const known = this.#isKnown(code);
      if (known) return { is: isNumber ? 'question' : 'scan', code, rest };
      if (known === undefined && this.length > 0) return { is: 'unclear', code: text, rest };
    }
    // A patient's number is asked about as well, where no quantity is typed like this.
    const isWhole = text === this.#text(0).trim() && looksLikeCode(text);
    return isWhole && (text.length >= MIN_NO_QUANTITY || this.#isScannedFrom(0, at))
      ? { is: 'unclear', code: text, rest: this.#before(0, field) }
      : NOTHING;
  }

  #onPage(at: number): Verdict {
    const starts = this.#starts();
    for (const from of starts) {
      const code = this.#text(from).trim();
      if (isCertainCode(code) || this.#isKnown(code) === true) return { is: 'scan', code, rest: '' };
    }
    for (const from of starts) {
      const code = this.#text(from).trim();
      const isWhole = code.length >= MIN_UNKNOWN_LENGTH && !/\s/.test(code);
      if (isWhole || this.#isScannedFrom(from, at)) return { is: 'scan', code, rest: '' };
    }
    return NOTHING;
  }

  /** Return a certain code at the end of the field, after other text. */
  #certain(field: Field): Verdict | null {
    const starts = field.kind === 'number' ? this.#strokes.keys() : this.#starts();
    for (const from of starts) {
      if (!isCertainCode(this.#text(from).trim())) continue;
      const begins = this.#isTypedZero(from) ? from + 1 : from;
      return { is: 'scan', code: this.#text(begins).trim(), rest: this.#before(begins, field) };
    }
    return null;
  }

  /** Return whether a person typed the zero before a GTIN, which would be valid with it, too. */
  #isTypedZero(from: number) {
    const [first, second] = this.#strokes.slice(from, from + 2);
    if (first?.character !== '0' || !second || second.at - first.at <= JOIN_MS) return false;
    return isCertainCode(this.#text(from + 1).trim());
  }

  /**
   * Return a code after other text, typed at a scanner's pace, including its Enter.
   *
   * A code that no product has is a scan in the bar. Elsewhere it is looked up: it may be a patient's number, or the lot
   * for which the field asks.
   */
  #quick(field: Field, at: number): Verdict | null {
    if (field.kind === 'number') return null;
    for (const from of this.#starts()) {
      const code = this.#text(from).trim();
      if (code === '' || !this.#isScannedFrom(from, at)) continue;
      if (/\s/.test(code)) continue;
      const rest = this.#before(from, field);
      if (this.#isKnown(code) !== false) return { is: 'scan', code, rest };
      if (code.length < MIN_UNKNOWN_LENGTH) continue;
      return { is: field.kind === 'bar' ? 'scan' : 'unclear', code, rest };
    }
    return null;
  }

  #isScannedFrom(from: number, end: number) {
    const first = this.#strokes[from];
    return first !== undefined && (end - first.at) / (this.#strokes.length - from) < SCANNER_PACE_MS;
  }

  /** Return where a scan may begin: at the first key, and after each pause. */
  #starts(): number[] {
    return this.#strokes.flatMap(({ at }, place) => {
      const before = this.#strokes[place - 1];
      return !before || at - before.at > PAUSE_MS ? [place] : [];
    });
  }

  #text(from: number) {
    return this.#strokes
      .slice(from)
      .map(({ character }) => character)
      .join('');
  }

  /** Return the field's value before the keys from there on; keys that arrived in other fields did not change it. */
  #before(from: number, field: Field) {
    return this.#strokes.slice(from).find(({ id }) => id === field.id)?.before ?? field.value;
  }
}

/** Whether text may be a patient's number or a product's code: three or more characters, a digit, no blank, no decimals. */
const looksLikeCode = (text: string) =>
  text.length > 2 && /\d/.test(text) && !/\s/.test(text) && !/^\d{1,4}[.,]\d{1,3}$/.test(text);

const withoutSeparators = (text: string) => text.replaceAll(GS, '');
