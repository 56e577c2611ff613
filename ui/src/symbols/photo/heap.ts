import { parseBarcode } from '../gs1';
import { gtinKey, isGtin } from '../gtin';
import { NO_PACK, type Pack } from '../pack';
import { centreOf, distance, sidesOf } from './geometry';
import type { Sighting } from './joined';

/** A pack in a picture: one symbol, or the two symbols of its label. */
export interface SeenPack {
  symbols: Sighting[];
  /** What to look up: the text of the symbol with the most data. */
  text: string;
  gtin: string | null;
  pack: Pack;
}

/** Packs that are counted together: the same product, lot, expiry and serial number. */
export interface Counted {
  key: string;
  text: string;
  gtin: string | null;
  pack: Pack;
  /** How many were seen in each picture, by its place. */
  seen: number[];
  /** How many are counted; null if pictures may show the same packs. */
  quantity: number | null;
}

/** The symbols of one pack lie within this many times the longer side of the larger one. */
const PACK_REACH = 2.5;

/**
 * Return the packs of a picture.
 *
 * Symbols of one pack are joined: a lot beside a GTIN without one, and an EAN beside a symbol with the same GTIN. Each
 * symbol is used once, the nearest first, so that neighbours of the same product stay two.
 */
export function packsOf(symbols: readonly Sighting[]): SeenPack[] {
  const packs = symbols.flatMap(readPack);
  const pairs = packs
    .flatMap((one, place) =>
      packs.slice(place + 1).flatMap((other) => {
        const away = distanceOf(one, other);
        return belongTogether(one, other) && away !== null ? [{ one, other, away }] : [];
      }),
    )
    .sort((first, second) => first.away - second.away);
  const used = new Set<SeenPack>();
  const whole: SeenPack[] = [];
  for (const { one, other } of pairs) {
    if (used.has(one) || used.has(other)) continue;
    used.add(one).add(other);
    whole.push(merged(one, other));
  }
  return [...whole, ...packs.filter((pack) => !used.has(pack))];
}

/**
 * Count the packs of several pictures.
 *
 * A serial number is one pack, however often it is seen. Equal packs in more than one picture may be the same: their
 * quantity is null until a person answers.
 */
export function countPacks(pictures: readonly (readonly SeenPack[])[]): Counted[] {
  const counted = new Map<string, Counted>();
  pictures.forEach((packs, picture) => {
    for (const { text, gtin, pack } of packs) {
      const key = keyOf(text, gtin, pack);
      const known = counted.get(key) ?? {
        key,
        text,
        gtin,
        pack,
        seen: pictures.map(() => 0),
        quantity: 0,
      };
      known.seen[picture] = (known.seen[picture] ?? 0) + 1;
      counted.set(key, known);
    }
  });
  return [...counted.values()].map((one) => ({ ...one, quantity: quantityOf(one) }));
}

function quantityOf({ pack, seen }: Counted): number | null {
  if (pack.serial) return 1;
  const shown = seen.filter(Boolean);
  return shown.length === 1 ? (shown[0] as number) : null;
}

/** Return what equal packs have in common. */
export const keyOf = (text: string, gtin: string | null, { lot, expiry, serial }: Pack) =>
  JSON.stringify([gtin ?? text, lot, expiry, serial]);

function readPack(symbol: Sighting): SeenPack[] {
  if (symbol.text === null) return [];
  const { text, reading } = parseBarcode(symbol.text);
  const gtin = reading?.gtin ?? (isGtin(text) ? gtinKey(text) : null);
  const pack = reading ? { lot: reading.lot, expiry: reading.expiry, serial: reading.serial } : NO_PACK;
  return [{ symbols: [symbol], text: symbol.text, gtin, pack }];
}

const hasData = ({ lot, expiry, serial }: Pack) => Boolean(lot || expiry || serial);

function belongTogether(one: SeenPack, other: SeenPack) {
  const [first, second] = [hasData(one.pack), hasData(other.pack)];
  if (first === second) return false;
  const [rich, plain] = first ? [one, other] : [other, one];
  return plain.gtin !== null && (rich.gtin === null || rich.gtin === plain.gtin);
}

/** Return the distance of two symbols, or null beyond the size of a pack. */
function distanceOf(one: SeenPack, other: SeenPack): number | null {
  const [a, b] = [one.symbols[0], other.symbols[0]];
  if (!a || !b) return null;
  const away = distance(centreOf(a.corners), centreOf(b.corners));
  const reach = PACK_REACH * Math.max(sidesOf(a.corners)[0], sidesOf(b.corners)[0]);
  return away <= reach ? away : null;
}

function merged(one: SeenPack, other: SeenPack): SeenPack {
  const [rich, plain] = hasData(one.pack) ? [one, other] : [other, one];
  return {
    symbols: [...rich.symbols, ...plain.symbols],
    text: rich.gtin ? rich.text : plain.text,
    gtin: rich.gtin ?? plain.gtin,
    pack: rich.pack,
  };
}
