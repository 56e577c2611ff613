import type { ReadingView } from '@/api/generated';
import { GS } from '@/scan/scanDetector';
import { gtinKey, isGtin } from './fold';

/**
 * What the text of a symbol holds, read on the device because there is no network: as far as is needed to find the
 * product and to tell the pack. What a person should confirm is told as such.
 */
interface ParsedBarcode {
  text: string;
  /** A code of HIBC's. */
  hibc: string | null;
  /** Null where the text is no symbol's. */
  reading: ReadingView | null;
}

/** The identifiers whose values have a fixed length, by their first two digits, identifier and value together (GS1). */
const WHOLE: Record<string, number> = {
  '00': 20, '01': 16, '02': 16, '03': 16, '04': 18, '20': 4, '41': 16,
  ...Object.fromEntries(['11', '12', '13', '14', '15', '16', '17', '18', '19'].map((ai) => [ai, 8])),
  ...Object.fromEntries(['31', '32', '33', '34', '35', '36'].map((ai) => [ai, 10])),
}; // biome-ignore format: a table.
const GS1 = /^\](d2|d5|d8|dB|C1|e0|Q3|J1)/;

export function parseBarcode(raw: string): ParsedBarcode {
  const tidied = raw.trim().replace(/\{GS\}|<GS>|\[GS\]|\^\]|␝/gi, GS);
  const [symbology = ''] = /^\][A-Za-z]\w/.exec(tidied) ?? [];
  const text = tidied.slice(symbology.length).replace(new RegExp(`^[${GS}\\s]+|[${GS}\\s]+$`, 'g'), '');
  if (text.startsWith('+')) return { text, hibc: text, reading: null };
  if (isGtin(text)) return { text, hibc: null, reading: readingOf({ '01': text }) };
  let values: Record<string, string> | null = null;
  let isLost = false;
  if (/^https?:\/\//i.test(text)) values = ofLink(text);
  else if (/^\(\d{2,4}\)/.test(text)) values = ofBrackets(text);
  else if (symbology === '' || GS1.test(symbology)) [values, isLost] = ofMessage(text);
  return { text, hibc: null, reading: values && readingOf(values, isLost) };
}

function readingOf(values: Record<string, string>, isLost = false): ReadingView | null {
  const gtin = values['01'] ?? values['02'];
  if (gtin && !isGtin(gtin)) return null;
  const count = Number(values['30'] ?? values['37']);
  const expiry = dayOf(values['17'] ?? '');
  const reading = {
    gtin: gtin ? gtinKey(gtin) : null,
    lot: values['10'] || null,
    expiry,
    serial: values['21'] || null,
    count: Number.isInteger(count) && count > 0 ? count : null,
    separator_lost: isLost,
    expiry_unreadable: values['17'] !== undefined && expiry === null,
  };
  return reading.gtin || reading.lot || reading.expiry || reading.serial || reading.count ? reading : null;
}

function ofMessage(text: string): [Record<string, string> | null, boolean] {
  const values: Record<string, string> = {};
  let rest = text;
  while (rest) {
    const ai = rest.slice(0, 2);
    const whole = WHOLE[ai];
    if (!/^\d{2}/.test(ai) || (whole !== undefined && rest.length < whole)) return [null, false];
    const element = whole === undefined ? (rest.split(GS)[0] as string) : rest.slice(0, whole);
    if (whole !== undefined && !/^\d+$/.test(element)) return [null, false];
    values[ai] ??= element.slice(2);
    rest = rest.slice(element.length).replace(new RegExp(`^${GS}+`), '');
    if ((ai === '10' || ai === '21') && !text.includes(GS)) return split(values, ai);
  }
  return [values, false];
}

/** Without any separator what follows may have run into this value: then it is for a person to confirm. */
function split(values: Record<string, string>, ai: string): [Record<string, string>, boolean] {
  const value = values[ai] ?? '';
  for (const found of value.matchAll(/(?=17(\d{6}))/g)) {
    const at = found.index;
    if (at === 0 || values['17'] || !dayOf(found[1] as string)) continue;
    const following = /^(10|21)(.+)/.exec(value.slice(at + 8));
    const more = following && following[1] !== ai ? { [following[1] as string]: following[2] as string } : {};
    return [{ ...values, [ai]: value.slice(0, at), '17': found[1] as string, ...more }, true];
  }
  const other = ai === '10' ? '21' : '10';
  const at = value.indexOf(other, 1);
  if (values[other] || at < 0 || at + 2 >= value.length) return [values, false];
  return [{ ...values, [ai]: value.slice(0, at), [other]: value.slice(at + 2) }, true];
}

const ofBrackets = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/\((\d{2,4})\)([^(]*)/g)].map(([, ai, value]) => [ai as string, (value ?? '').trim()]),
  );

/** A GS1 Digital Link: `https://id.example/01/09520…/10/L1?17=271031`. */
function ofLink(text: string) {
  try {
    const { pathname, searchParams } = new URL(text);
    const parts = pathname.split('/').filter(Boolean).map(decodeURIComponent);
    const from = parts.indexOf('01');
    if (from < 0) return null;
    const values: Record<string, string> = Object.fromEntries(searchParams);
    for (let at = from; at + 1 < parts.length; at += 2) values[parts[at] as string] = parts[at + 1] as string;
    return values;
  } catch {
    return null;
  }
}

/** `YYMMDD` as a day; day 00 is the month's last. Which century it is goes by GS1's rule. */
function dayOf(digits: string) {
  const found = /^(\d\d)(\d\d)(\d\d)$/.exec(digits);
  if (!found) return null;
  const [yy, month, day] = found.slice(1).map(Number) as [number, number, number];
  const now = new Date().getFullYear();
  const year =
    [-100, 0, 100]
      .map((more) => Math.floor(now / 100) * 100 + yy + more)
      .find((one) => one - now <= 50 && one - now > -50) ?? 0;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day > last) return null;
  return `${year}-${String(month).padStart(2, '0')}-${String(day || last).padStart(2, '0')}`;
}
