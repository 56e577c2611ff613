const KEY = 'usual';
/** The numbers of the usual products stay for one shift, in milliseconds. */
export const SHIFT = 8 * 3_600_000;

/** Ids of products, and since when they stand in this order. */
interface Kept {
  since: number;
  ids: number[];
}

const placeOf = (userId: number, areaId: number) => `${userId} ${areaId}`;

/** The orders of all persons and areas on this device whose shift is not over. */
function readAll(now: number): Record<string, Kept> {
  try {
    const all: [string, Kept][] = Object.entries(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
    return Object.fromEntries(all.filter(([, { since }]) => now - since < SHIFT && since <= now));
  } catch {
    return {};
  }
}

/** Return the ids in the order that the person has seen in this area during this shift; none before its first use. */
export const keptOrder = (userId: number, areaId: number, now = Date.now()) =>
  readAll(now)[placeOf(userId, areaId)]?.ids ?? [];

/** Keep the order until eight hours after its first use. */
export function keepOrder(userId: number, areaId: number, ids: number[], now = Date.now()) {
  const all = readAll(now);
  const place = placeOf(userId, areaId);
  const since = all[place]?.since ?? now;
  localStorage.setItem(KEY, JSON.stringify({ ...all, [place]: { since, ids } }));
}

/**
 * Put the usual products into the kept order, the pinned ones first. New ones come last, or take the place of one that
 * is not `shown` any more; the list grows no longer than the answer of the server is.
 */
export function fixedOrder(kept: number[], usual: number[], pinned: number[], shown: Iterable<number>) {
  const canBeShown = new Set(shown);
  const added = usual.filter((id) => !kept.includes(id));
  const wanted = added.filter((id) => pinned.includes(id));
  const others = added.filter((id) => !pinned.includes(id));
  const newcomers = [...wanted, ...others];
  const ids = kept.flatMap((id) => (canBeShown.has(id) ? id : (newcomers.shift() ?? [])));
  const length = Math.max(kept.length, usual.length);
  const all = [...ids, ...newcomers];
  const isPinned = (id: number) => pinned.includes(id);
  return [...all.filter(isPinned), ...all.filter((id) => !isPinned(id))].slice(0, length);
}
