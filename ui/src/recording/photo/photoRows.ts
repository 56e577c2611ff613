import type { ProductLookupView } from '@/api/generated';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import type { Decimal } from '@/i18n/decimal';
import type { DetailValues } from '@/outbox/outboxSlice';
import { type Person, sheetsOf } from '@/scan/wristbands';
import { parseBarcode } from '@/symbols/gs1';
import { type Counted, countPacks, keyOf, packsOf, type SeenPack } from '@/symbols/photo/heap';
import type { Sighting } from '@/symbols/photo/joined';
import { getQuestions, isAnswered } from '../scanning/lineChecks';
import type { Now } from '../scanning/recorder';
import type { LineRow, Recorder, Row, Scan } from '../scanning/recorderState';
import { scannedAlone } from '../scanning/scannedAlone';

/*
 * What the symbols of pictures are on this sheet.
 *
 * The recorder decides: each pack is what it would be as a scan alone. A line without a question is recorded with the
 * others; any other row is handed to the recorder, which asks.
 */

/** A picture, as far as it was read. */
export interface ReadPicture {
  id: string;
  symbols: Sighting[];
}

/** The answer to a lookup; `failed` if there was none. */
export type LookedUpText = ProductLookupView | 'failed';

/** `none` has nothing to record or to ask: a label of Consumo, or a lot without its product. */
export type Tone = 'green' | 'amber' | 'grey' | 'looking' | 'failed' | 'none';

/** Equal packs in the pictures. */
export interface PhotoRow {
  key: string;
  tone: Tone;
  /** What was read: the text that was looked up first. */
  text: string;
  pack: Counted['pack'];
  quantity: Decimal;
  /** Whether more than one picture shows them, so that a person must count. */
  isSeenTwice: boolean;
  /** The line that is recorded or asked about. */
  line: LineRow | null;
  questions: string[];
  /** What the recorder has instead of a line. */
  rows: Row[];
  /** A line whose pack has two symbols: the server must check it. */
  recheck: DetailValues | null;
}

/** A symbol and what it is. */
export interface Frame {
  symbol: Sighting;
  /** The row, or `own` for a wristband of this patient; null if it is unread or no pack. */
  key: string | null;
}

export interface PictureRows {
  id: string;
  frames: Frame[];
  packs: number;
  unread: number;
  /** Whose wristband of another patient is in it: nothing of it is used. */
  other: Person | null;
  /** Whose wristband shows that the packs are of this sheet. */
  own: Person | null;
}

export interface Knowledge {
  sheetId: number;
  by: Recorder;
  now: Now;
  answers: ReadonlyMap<string, LookedUpText>;
  /** What the server knows about lines with `recheck`, by their row; null without an answer. */
  told: ReadonlyMap<string, Scan['told'] | null>;
  /** Quantities that the person gave. */
  quantities: ReadonlyMap<string, Decimal>;
}

export const OWN = 'own';

/** Return the texts to look up: of a GTIN and a lot apart, both. */
export function textsOf({ text, symbols }: SeenPack): string[] {
  const rich = symbols[0]?.text;
  return rich && rich !== text && parseBarcode(rich).reading?.gtin == null ? [text, rich] : [text];
}

/** Return the packs of a picture. An address of the web is no product. */
export const packsIn = ({ symbols }: ReadPicture) =>
  packsOf(symbols).filter(({ text }) => !isWebAddress(text));

function isWebAddress(raw: string) {
  const { text, reading } = parseBarcode(raw);
  return reading === null && /^https?:\/\//i.test(text);
}

/** Return what the pictures show, with one row for equal packs. */
export function photoRows(pictures: ReadPicture[], known: Knowledge) {
  const { answers, sheetId } = known;
  const peopleOf = (pack: SeenPack): Person[] => {
    const found = textsOf(pack).map((text) => answers.get(text));
    // A code of a product that is also a patient's number is asked about, as a scan is.
    return found.flatMap((one) => (one && one !== 'failed' && one.matches.length === 0 ? one.people : []));
  };
  const isOwn = (people: Person[]) => sheetsOf(people).some(({ id }) => id === sheetId);
  const seen = pictures.map((picture) => {
    const all = packsIn(picture).map((pack) => ({ pack, people: peopleOf(pack) }));
    const wristbands = all.filter(({ people }) => people.length > 0);
    const [own] = wristbands.flatMap(({ people }) => (isOwn(people) ? people : []));
    const [other] = wristbands.flatMap(({ people }) => (isOwn(people) ? [] : people));
    const packs = all.filter(({ people }) => people.length === 0).map(({ pack }) => pack);
    const keys = new Map<Sighting, string>();
    for (const { pack, people } of all)
      for (const symbol of pack.symbols)
        keys.set(symbol, people.length > 0 ? OWN : keyOf(pack.text, pack.gtin, pack.pack));
    return {
      packs: other ? [] : packs,
      shown: {
        id: picture.id,
        frames: picture.symbols.map((symbol) => ({ symbol, key: keys.get(symbol) ?? null })),
        packs: packs.length,
        unread: picture.symbols.filter(({ text }) => text === null).length,
        own: own ?? null,
        other: other ?? null,
      } satisfies PictureRows,
    };
  });
  const texts = new Map(
    seen.flatMap(({ packs }) =>
      packs.map((pack) => [keyOf(pack.text, pack.gtin, pack.pack), textsOf(pack)] as const),
    ),
  );
  return {
    pictures: seen.map(({ shown }) => shown),
    rows: countPacks(seen.map(({ packs }) => packs)).map((counted) =>
      rowOf(counted, texts.get(counted.key) ?? [counted.text], known),
    ),
  };
}

function rowOf(counted: Counted, texts: string[], known: Knowledge): PhotoRow {
  const { key, text, pack } = counted;
  const isSeenTwice = counted.quantity === null;
  const given = known.quantities.get(key);
  const row: PhotoRow = {
    key,
    tone: 'none',
    text,
    pack,
    quantity: given === undefined ? counted.quantity : given,
    isSeenTwice,
    line: null,
    questions: [],
    rows: [],
    recheck: null,
  };
  const answers = texts.map((one) => known.answers.get(one));
  if (answers.includes('failed')) return { ...row, tone: 'failed' };
  const scans = texts.flatMap((raw, place) => {
    const answer = answers[place];
    return answer && answer !== 'failed' ? [{ raw, answer }] : [];
  });
  if (scans.length < texts.length) return { ...row, tone: 'looking' };
  const { sheetId, by, now, told } = known;
  const { rows, recheck } = scannedAlone(key, scans, { sheetId, by, now }, told.get(key));
  const [first] = rows;
  if (first?.kind === 'unknown') return { ...row, tone: 'grey', rows: [first] };
  if (first?.kind === 'choice') return { ...row, tone: 'amber', rows };
  if (first?.kind === 'inactive') return { ...row, tone: 'grey', rows };
  if (first?.kind !== 'line') return { ...row, rows: [] };
  // What one symbol counts: null for a box, whose units a person must say.
  const each = first.values.quantity === 1 ? counted.quantity : first.values.quantity;
  const quantity = given === undefined ? each : given;
  const { staff_id, staff, area_id, used_at, use_reason } = known.by;
  const values = { ...first.values, staff_id, staff, area_id, used_at, use_reason, quantity };
  const line: LineRow = { ...first, values, isFresh: false };
  const isChecked = recheck === null || known.told.has(key);
  const isClear = isAnswered(line, known.now.today) && rows.length === 1;
  return {
    ...row,
    tone: isChecked ? (isClear ? 'green' : 'amber') : 'looking',
    quantity,
    line,
    questions: getQuestions(values, known.now.today),
    rows: rows.length === 1 ? [line] : rows,
    recheck: isChecked ? null : recheck,
  };
}

/** Return rows for the recorder, which asks about them one by one. */
export function rowsToAsk({ rows, line, quantity }: PhotoRow): Row[] {
  if (line && rows.length === 1) return [{ ...line, key: newIdempotencyKey() }];
  const [row] = rows;
  if (row?.kind !== 'choice') return rows.map((one) => ({ ...one, key: newIdempotencyKey() }));
  const isEach = row.matches.every(({ units }) => units === 1) && typeof quantity === 'number';
  // Of boxes, each is asked about.
  const count = isEach || typeof quantity !== 'number' ? 1 : quantity;
  return Array.from({ length: count }, () => ({
    ...row,
    key: newIdempotencyKey(),
    times: isEach ? quantity : undefined,
  }));
}

/** Return whether a person must say how many there are before the recorder can ask. */
export const isUncounted = ({ rows, quantity }: PhotoRow) =>
  rows[0]?.kind === 'choice' && typeof quantity !== 'number';
