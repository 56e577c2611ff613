import type { Decimal } from '@/i18n/decimal';
import { readDecimal } from '@/i18n/decimal';
import { isCertainCode, isWholeSymbol, looksLikeCode, splitTimes } from './codes';
import { GS, isSeparatorKey } from './scanDetector';
import type { ScannerProfile } from './scannerProfile';

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
 * `rest` is the field's value without the code. `isWhole`: the text began after a silence that was taken for an end, and
 * replaces the part before it.
 */
export type Verdict =
  /** Not a scan: the key is for the field. */
  | { is: 'typed' }
  | { is: 'scan'; code: string; rest: string; times?: Decimal; isWhole?: true }
  /** It can be read in two ways. `whole` is the other code; otherwise the other is the field's text. */
  | { is: 'ask'; code: string; rest: string; whole?: string }
  /** The field's text is asked about if a lookup knows it, too. */
  | { is: 'perhaps'; code: string; rest: string }
  /** The field's text is a scan if a lookup finds a patient, and a search otherwise. */
  | { is: 'person'; code: string; rest: string };

/** What the device knows of a text without waiting. */
export interface Knowledge {
  /** Whether a product has this code; undefined if the device does not know the catalogue. */
  isCode: (text: string) => boolean | undefined;
  /** Whether a search for these words finds a product. */
  isName: (text: string) => boolean;
}

interface Stroke {
  character: string;
  at: number;
  id: unknown;
  /** The field's value before the keystroke. */
  before: string;
}

/** After a longer pause, a code may follow text that a person typed. A pause never splits a text by itself. */
const PAUSE_MS = 100;
/** No scanner pauses this long within a code: the text before it was typed. */
const MAX_PAUSE_MS = 5000;
const MAX_STROKES = 512;
/** A shorter text on the page itself is not an unknown code: it may be a key pressed by accident. */
const MIN_UNKNOWN_LENGTH = 4;
/** As many digits are no quantity: the largest is 9,999.999. Fewer may be a mistake, which the field names. */
const MIN_NO_QUANTITY = 7;
/** No quantity of fewer digits is looked up as a patient's number. */
const MIN_PATIENT_DIGITS = 3;
/** A quantity before a scan: at most four digits, and perhaps decimals. */
const QUANTITY = /^[1-9]\d{0,3}([.,]\d{1,3})?$/;
/** Half a name before a scan: letters, or any words before a blank. */
const WORDS = /^(\p{L}+|.*\s)$/u;
const TYPED: Verdict = { is: 'typed' };

/**
 * Return whether Android reports the key without its character.
 *
 * Only the input event has the character.
 */
const isComposed = ({ key }: Key) => key === 'Unidentified' || key === 'Process';

/**
 * Reader of scans among the keys of a page, by what they spell.
 *
 * The whole text between two ends is one code. Neither pace nor pauses decide: they only show where text that a person
 * typed may end. With a known prefix, the text from there on is the code, and everything else is typed.
 */
export class ScanReader {
  #strokes: Stroke[] = [];
  #alt = '';
  /** The number of keys that a silence has ended. */
  #ended = 0;
  readonly #known: Knowledge;
  readonly #profile: () => ScannerProfile;

  constructor(known: Knowledge, profile: () => ScannerProfile = () => ({})) {
    this.#known = known;
    this.#profile = profile;
  }

  /** Note a key other than Enter or Tab, and return its character, if any. */
  press(key: Key, field: Field): string | null {
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
    if (last && key.timeStamp - last.at > MAX_PAUSE_MS) this.clear();
    if (this.#strokes.length === MAX_STROKES) this.#strokes.shift();
    // Alt+029 is only recognized as the separator with the next key.
    const separator = /^0*29$/.test(this.#alt) ? GS : '';
    this.#alt = '';
    this.#strokes.push({
      character: separator + character,
      at: key.timeStamp,
      id: field.id,
      before: field.value,
    });
    return character;
  }

  /** Forget the keys: the cursor was moved, or something was deleted or clicked. */
  clear() {
    this.#strokes = [];
    this.#alt = '';
    this.#ended = 0;
  }

  /** The text of the noted keys, which may be the beginning of a scan. */
  get text() {
    return textOf(this.#strokes);
  }

  /** Interpret and forget the text before Enter or Tab. */
  end(field: Field): Verdict {
    const { code, rest, replaces } = this.#afterSilence(field);
    const verdict = replaces
      ? ({ is: 'scan', code, rest, isWhole: true } as const)
      : this.#read(this.#strokes.slice(this.#ended), field);
    this.clear();
    return verdict;
  }

  /**
   * Interpret the text after a silence, where the scanner may send no end.
   *
   * The keys are kept: if text goes on, they are read together.
   */
  rest(field: Field): Verdict {
    if (this.#profile().end) return TYPED;
    const fresh = this.#strokes.slice(this.#ended);
    const { code, rest, replaces } = this.#afterSilence(field);
    const isDone = isCertainCode(textOf(fresh).trim()) || replaces;
    if (!isDone && this.#profile().end !== null) return TYPED;
    const verdict = replaces
      ? ({ is: 'scan', code, rest, isWhole: true } as const)
      : this.#read(fresh, field);
    if (verdict.is !== 'scan') return TYPED;
    this.#ended = this.#strokes.length;
    return verdict;
  }

  /** Read the keys before and after a silence together. */
  #afterSilence(field: Field) {
    const [code, later] = [textOf(this.#strokes).trim(), this.#strokes.slice(this.#ended)];
    const isOne = !isWholeSymbol(textOf(later).trim()) && isCertainCode(code);
    const replaces = this.#ended > 0 && later.length > 0 && isOne;
    return { code, rest: before(later, field), replaces };
  }

  #read(strokes: Stroke[], field: Field): Verdict {
    const announced = this.#announced(strokes, field);
    if (announced) return announced;
    const typed = textOf(strokes).trim();
    const whole = { is: 'scan', code: typed, rest: before(strokes, field) } as const;
    if (isCertainCode(typed)) return whole;
    const tail = this.#tail(strokes, field);
    if (tail) return tail;
    switch (field.kind) {
      case 'bar':
        return this.#inBar(strokes, field);
      case 'number':
        return this.#inNumber(strokes, field);
      case 'none':
        return this.#onPage(whole);
    }
    const value = field.value.trim();
    if (typed === '' || !value.endsWith(withoutSeparators(typed))) return TYPED;
    if (typed.includes(GS)) return whole;
    if (field.kind === 'text' && this.#known.isCode(typed)) return { ...whole, is: 'ask' };
    const isLone = value === typed && typed.length >= MIN_UNKNOWN_LENGTH && looksLikeCode(typed);
    return isLone ? { ...whole, is: field.kind === 'search' ? 'person' : 'perhaps' } : TYPED;
  }

  /** Return the code behind the scanner's prefix. Without one, only the record bar has codes, typed by hand. */
  #announced(strokes: Stroke[], field: Field): Verdict | null {
    const { prefix } = this.#profile();
    if (!prefix) return null;
    const text = textOf(strokes);
    const place = prefix === 'aim' ? text.search(/\][A-Za-z]\d/) : text.indexOf(prefix);
    if (place < 0) return field.kind === 'bar' ? this.#inBar(strokes, field) : TYPED;
    // A key may stand for two characters, so count the keys.
    let from = 0;
    for (let length = 0; length < place; from++) length += strokes[from]?.character.length ?? 1;
    const code = prefix === 'aim' ? text.slice(place) : text.slice(place + prefix.length);
    return { is: 'scan', code: code.trim(), rest: before(strokes.slice(from), field) };
  }

  /** Return a code behind text that a person typed: a quantity, or half a name. */
  #tail(strokes: Stroke[], field: Field): Verdict | null {
    const isNumber = field.kind === 'number';
    const isText = field.kind === 'text' || field.kind === 'search';
    const candidates = strokes.flatMap((_, from) => {
      const [head, code] = [textOf(strokes.slice(0, from)), textOf(strokes.slice(from)).trim()];
      const isTyped = isNumber ? QUANTITY.test(head) : isText || WORDS.test(head);
      return from > 0 && isTyped && isCertainCode(code)
        ? [{ from, code, pause: this.#pauseBefore(strokes, from) }]
        : [];
    });
    const symbol = candidates.find(({ code }) => isWholeSymbol(code));
    const restOf = (from: number) => before(strokes.slice(from), field);
    if (symbol) return { is: 'scan', code: symbol.code, rest: restOf(symbol.from) };
    const later = candidates.filter(({ pause }) => pause > PAUSE_MS);
    const [best] = later.sort((one, other) => other.pause - one.pause);
    if (!best) return null;
    const { code, from } = best;
    const isKnown = this.#known.isCode(code);
    if (isNumber && isKnown) return { is: 'scan', code, rest: restOf(from) };
    if ((isNumber && isKnown === false) || (isText && !isKnown)) return null;
    return { is: 'ask', code, rest: restOf(from), ...(isText ? {} : { whole: textOf(strokes).trim() }) };
  }

  #pauseBefore(strokes: Stroke[], from: number) {
    return (strokes[from]?.at ?? 0) - (strokes[from - 1]?.at ?? 0);
  }

  #inBar(strokes: Stroke[], field: Field): Verdict {
    const value = field.value.trim();
    const typed = textOf(strokes).trim();
    // The field's value lacks the separators, and the keys of a code that arrived elsewhere while the focus moved.
    const isSplit = strokes.some(({ id }) => id !== field.id);
    const isSame = withoutSeparators(typed) === withoutSeparators(value);
    const text = (isSplit && looksLikeCode(typed)) || isSame ? typed : value;
    if (text === '') return TYPED;
    const isCode = (code: string) => isCertainCode(code) || this.#known.isCode(code) === true;
    if (isCode(text)) return { is: 'scan', code: text, rest: '' };
    const several = splitTimes(text);
    if (several && (isCode(several.code) || looksLikeCode(several.code)))
      return { is: 'scan', ...several, rest: '' };
    if (!looksLikeCode(text) && !text.includes(GS)) return TYPED;
    // Words with a digit, such as `10x10`, choose the product that the list offers.
    const isName = !/^\d+$/.test(text) && (field.hasChoice || this.#known.isName(text));
    return isName ? TYPED : { is: 'scan', code: text, rest: '' };
  }

  #inNumber(strokes: Stroke[], field: Field): Verdict {
    const text = textOf(strokes).trim();
    const rest = before(strokes, field);
    if (text === '' || /\s/.test(text)) return TYPED;
    if (typeof readDecimal(text) !== 'number') {
      if (text.length < MIN_UNKNOWN_LENGTH)
        return this.#known.isCode(text) ? { is: 'scan', code: text, rest } : TYPED;
      return this.#behindQuantity(strokes, field) ?? { is: 'scan', code: text, rest };
    }
    const digits = text.replace(/[.,].*$/, '').length;
    if (digits >= MIN_NO_QUANTITY) return { is: 'scan', code: text, rest };
    const known = this.#known.isCode(text);
    if (known) return { is: 'ask', code: text, rest };
    const isDigits = /^\d+$/.test(text);
    return isDigits && (known === undefined || digits >= MIN_PATIENT_DIGITS)
      ? { is: 'perhaps', code: text, rest }
      : TYPED;
  }

  /** Ask about digits before a letter, after which there was a pause: they may be a typed quantity. */
  #behindQuantity(strokes: Stroke[], field: Field): Verdict | null {
    const whole = textOf(strokes).trim();
    for (const [from] of strokes.entries()) {
      const [head, code] = [textOf(strokes.slice(0, from)), textOf(strokes.slice(from)).trim()];
      if (from === 0 || !QUANTITY.test(head) || /^[\d.,]/.test(code) || !looksLikeCode(code)) continue;
      if (this.#pauseBefore(strokes, from) <= PAUSE_MS) return null;
      return { is: 'ask', code, rest: before(strokes.slice(from), field), whole };
    }
    return null;
  }

  #onPage(whole: { is: 'scan'; code: string; rest: string }): Verdict {
    const { code } = whole;
    if (this.#known.isCode(code)) return whole;
    const several = splitTimes(code);
    if (several && (isCertainCode(several.code) || looksLikeCode(several.code)))
      return { ...whole, ...several };
    const isCode = code.length >= MIN_UNKNOWN_LENGTH && (!/\s/.test(code) || /\d/.test(code));
    return isCode ? whole : TYPED;
  }
}

const textOf = (strokes: Stroke[]) => strokes.map(({ character }) => character).join('');

/** Return the field's value before these keys; keys that arrived in other fields did not change it. */
const before = (strokes: Stroke[], field: Field) =>
  strokes.find(({ id }) => id === field.id)?.before ?? field.value;

const withoutSeparators = (text: string) => text.replaceAll(GS, '');
