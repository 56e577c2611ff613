import type { ReadingView } from '@/api/generated';
import { dateOf, fullYear } from './day';
import { firstElement } from './gs1Elements';
import { gtinKey, hasRightCheckDigit, isGtin } from './gtin';
import { readHibc } from './hibc';
import { GS } from './scanDetector';

/**
 * Parsed text of a barcode, for scans without network.
 *
 * The reader equals adapters/symbols/scan.py. Both are tested with tests/scan_vectors.json, and
 * tests/browser/recording/test_two_readers.py compares them on some thousands of symbols.
 */
export interface ParsedBarcode {
  text: string;
  /** The symbology identifier that the scanner put before the text. */
  symbology: string | null;
  /** The primary data of an HIBC code. */
  hibc: string | null;
  /** Whether it identifies a person who gives or receives care. */
  ofPerson: boolean;
  /** The service relation number of the patient (AI 8018). */
  gsrn: string | null;
  /** Null if it is only a code. */
  reading: ReadingView | null;
}

type Element = [ai: string, value: string, day: string | null];

interface Message {
  elements: Element[];
  isLost?: boolean;
  /** Part of the text is not a valid element. */
  incomplete?: boolean;
}

const LONGEST = 500;
const GS1_SYMBOLOGY = /^\](d2|d5|d8|dB|C1|e0|Q3|J1)$/;
/** EAN-13 with a five-digit add-on. A longer text with ]E0 is ]e0 typed with Caps Lock on. */
const MAX_EAN_LENGTH = 18;
const AROUND = new RegExp(`^[${GS}\\r\\n\\t ]+|[${GS}\\r\\n\\t ]+$`, 'g');
const AROUND_VALUE = new RegExp(`^[${GS} ]+|[${GS} ]+$`, 'g');
const SEPARATORS = new RegExp(`^${GS}+`);
const LINK = /^https?:\/\/[^/?#]*([^?#]*)(?:\?([^#]*))?/i;
const [GTIN, CONTENT, LOT, EXPIRY, SERIAL] = ['01', '02', '10', '17', '21'] as const;
const [EXPIRY_TIME, MADE, MORE, CONTAINED] = ['7003', '11', '240', '37'] as const;
const [PROVIDER, RECIPIENT] = ['8017', '8018'] as const;
const EXPIRIES: string[] = [EXPIRY, EXPIRY_TIME];
/** Elements of variable length. Without their separator they may swallow the next element. */
const VARIABLE: string[] = [LOT, SERIAL];
const DATED: string[] = [...EXPIRIES, MADE];
const MAX_LETTERS = 20;

export function parseBarcode(raw: string): ParsedBarcode {
  const { symbology, text, isSeparated } = tidied(raw.slice(0, LONGEST));
  const code = { text, symbology, hibc: null, ofPerson: false, gsrn: null, reading: null };
  if (text.startsWith('+')) {
    const { primary, separatorLost, expiryUnreadable = false, incomplete, ...pack } = readHibc(text);
    const flags = { separator_lost: separatorLost, expiry_unreadable: expiryUnreadable, incomplete };
    return { ...code, hibc: primary, reading: told({ ...NOTHING, ...pack, ...flags }) };
  }
  if (isGtin(text)) return { ...code, reading: { ...NOTHING, gtin: gtinKey(text) } };
  if (/^https?:\/\//i.test(text)) return { ...code, ...read(text, ofLink(text), true) };
  if (/^\(\d{2,4}\)/.test(text)) return { ...code, ...read(text, ofBrackets(text), true) };
  if (symbology === null || GS1_SYMBOLOGY.test(symbology))
    return { ...code, ...read(text, ofMessage(text), isSeparated || symbology !== null) };
  return code;
}

/**
 * Normalize a scanned text and its separators.
 *
 * Returns the symbology identifier, if any, the text, and whether it has separators.
 */
function tidied(raw: string) {
  let text = raw.replace(/^[\r\n\t ]+|[\r\n\t ]+$/g, '').replace(/\{GS\}|<GS>|\[GS\]|\^\]|␝/gi, GS);
  let [symbology = null] = /^\][A-Za-z][0-9A-Za-z]/.exec(text) ?? [];
  if (symbology) {
    const swapped = swapCase(symbology);
    const isLonger = text.length - symbology.length > MAX_EAN_LENGTH;
    if (GS1_SYMBOLOGY.test(swapped) && !GS1_SYMBOLOGY.test(symbology) && (symbology !== ']E0' || isLonger)) {
      // Caps Lock is on.
      text = swapCase(text);
      symbology = swapped;
    }
    text = text.slice(symbology.length);
  }
  const isSeparated = text.includes(GS);
  return { symbology, text: text.replace(AROUND, ''), isSeparated };
}

const swapCase = (text: string) =>
  text.replace(/./gsu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

const NOTHING: ReadingView = {
  gtin: null,
  lot: null,
  expiry: null,
  serial: null,
  count: null,
  separator_lost: false,
  expiry_unreadable: false,
  incomplete: false,
  bare: false,
};

/** Return the reading, or null if it is empty. */
function told(reading: ReadingView): ReadingView | null {
  const { gtin, lot, expiry, serial, count, expiry_unreadable } = reading;
  // An expiry that is no day is a part of the symbol that cannot be read.
  const incomplete = reading.incomplete || expiry_unreadable;
  return gtin || lot || expiry || serial || count || incomplete ? { ...reading, incomplete } : null;
}

/**
 * Interpret the elements.
 *
 * `isCertain`: a symbology identifier or brackets prove that they are elements.
 */
function read(text: string, { elements, isLost = false, incomplete = false }: Message, isCertain: boolean) {
  const values = new Map<string, string>();
  const days = new Map<string, string | null>();
  for (const [ai, value, day] of elements) {
    if (values.has(ai)) continue;
    values.set(ai, value);
    days.set(ai, day);
  }
  const gtin = values.get(GTIN) || values.get(CONTENT);
  const person = /^\(?(801[78])\)?(\d{18})(?:8019\d|(?!\d))/.exec(text);
  const ofPerson = !gtin && (values.has(PROVIDER) || values.has(RECIPIENT) || person !== null);
  const recipient = values.get(RECIPIENT) || (person?.[1] === RECIPIENT ? person[2] : undefined);
  const gsrn = ofPerson && recipient && hasRightCheckDigit(recipient) ? recipient : null;
  const isRead = gtin ? isGtin(gtin) : values.size > 0 && (isCertain || !incomplete);
  if (!isRead) return { ofPerson, gsrn, reading: null };
  const expiry = EXPIRIES.map((ai) => days.get(ai)).find(Boolean) ?? null;
  const count = Number(values.get('30') || values.get(CONTAINED) || 0);
  const reading = told({
    gtin: gtin ? gtinKey(gtin) : null,
    lot: values.get(LOT) ?? null,
    expiry,
    serial: values.get(SERIAL) ?? null,
    count: count || null,
    separator_lost: isLost,
    expiry_unreadable: !expiry && EXPIRIES.some((ai) => values.has(ai)),
    incomplete,
    bare: false,
  });
  return { ofPerson, gsrn, reading: reading && { ...reading, bare: !gtin && !isCertain } };
}

/**
 * Parse a GS1 Digital Link.
 *
 * It uses the path from a GTIN or a person's number on, and the query.
 */
function ofLink(text: string): Message {
  const [, path = '', query = ''] = LINK.exec(text) ?? [];
  const parts = path.split('/').filter(Boolean);
  const begins = parts.findIndex((part) => [GTIN, PROVIDER, RECIPIENT].includes(part as typeof GTIN));
  if (begins < 0) return { elements: [] };
  const pairs: [string, string][] = [];
  for (let at = begins; at < parts.length; at += 2) pairs.push([parts[at] as string, parts[at + 1] ?? '']);
  for (const one of query.split('&')) {
    const at = one.includes('=') ? one.indexOf('=') : one.length;
    if (/^\d+$/.test(one.slice(0, at))) pairs.push([one.slice(0, at), one.slice(at + 1)]);
  }
  return all(pairs.map(([ai, value]) => only(ai, unescaped(value))));
}

function unescaped(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

const ofBrackets = (text: string) =>
  all(
    [...text.matchAll(/\((\d{2,4})\)([^(]*)/g)].map(([, ai = '', value = '']) =>
      only(ai, value.replace(AROUND_VALUE, '')),
    ),
  );

const all = (elements: (Element | null)[]): Message => ({
  elements: elements.filter((element) => element !== null),
  incomplete: elements.includes(null),
});

function ofMessage(text: string): Message {
  const elements: Element[] = [];
  let incomplete = false;
  let rest = text;
  while (rest) {
    const ai = rest.slice(0, 2);
    if (!text.includes(GS) && VARIABLE.includes(ai)) {
      // Without a separator, everything that follows may be part of the value.
      const following = split(ai, rest.slice(2), [...elements.map(([one]) => one), ai]);
      if (following) return { elements: [...elements, ...following], isLost: true, incomplete };
    }
    const found = first(rest);
    if (found) {
      elements.push(found);
      rest = rest.slice(found[0].length + found[1].length).replace(SEPARATORS, '');
    } else {
      // After the next separator a new element begins.
      incomplete = true;
      rest = rest.includes(GS) ? rest.slice(rest.indexOf(GS)).replace(SEPARATORS, '') : '';
    }
  }
  return { elements, incomplete };
}

/**
 * Split a value into elements, as if it ended earlier; null if it cannot.
 *
 * Elements with a date are preferred.
 */
function split(ai: string, value: string, known: string[]): Element[] | null {
  let likely: Element[] | null = null;
  for (let end = 1; end < Math.min(value.length, MAX_LETTERS + 1); end++) {
    if (!first(ai + value.slice(0, end))) return likely;
    const more = following(value.slice(end), known);
    if (!more) continue;
    const elements: Element[] = [[ai, value.slice(0, end), null], ...more];
    if (more.some(([, , day]) => day)) return elements;
    likely ??= elements;
  }
  return likely;
}

/** Return the elements of the rest, none already known; null if none. */
function following(text: string, known: string[]): Element[] | null {
  const ai = [...DATED, ...VARIABLE, MORE, CONTAINED].find((one) => text.startsWith(one));
  if (!ai || known.includes(ai) || text.length === ai.length) return null;
  if (ai === CONTAINED && !known.includes(CONTENT)) return null;
  if (DATED.includes(ai)) {
    const found = first(text);
    if (!found?.[2]) return null;
    const rest = text.slice(ai.length + found[1].length);
    if (!rest) return [found];
    const more = following(rest, [...known, ai]) ?? whole(rest);
    return more && [found, ...more];
  }
  const elements = VARIABLE.includes(ai) ? split(ai, text.slice(ai.length), [...known, ai]) : null;
  if (elements) return elements;
  const one = only(ai, text.slice(ai.length));
  return one && [one];
}

/** Return the elements that make up the whole text; null if they do not. */
function whole(text: string): Element[] | null {
  const elements: Element[] = [];
  let rest = text;
  while (rest) {
    const found = first(rest);
    if (!found) return null;
    elements.push(found);
    rest = rest.slice(found[0].length + found[1].length);
  }
  return elements;
}

/**
 * Return the first element of a text; null if there is none.
 *
 * An element of variable length ends at a separator.
 */
function first(text: string): Element | null {
  const found = firstElement(text.split(GS)[0] as string);
  if (!found) return null;
  const [ai, value] = found;
  const isDay = /^1[123567]$/.test(ai) || ai === EXPIRY_TIME;
  return [ai, value, isDay ? dayOf(value.slice(0, 6)) : null];
}

/** Return the element if its value is all of the text; null otherwise. */
function only(ai: string, value: string): Element | null {
  const text = ai === GTIN && isGtin(value) ? gtinKey(value) : value;
  const found = first(ai + text);
  return found && found[0] === ai && found[1] === text && text ? found : null;
}

/** Read `YYMMDD` as a date; day 00 is the last of the month. */
const dayOf = (figures: string) =>
  dateOf(fullYear(Number(figures.slice(0, 2))), Number(figures.slice(2, 4)), Number(figures.slice(4)));
