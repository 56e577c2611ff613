import { deviceStorage } from '@/storage';

const KEY = 'usual';
/** How long usual products keep their numbers: a shift, in ms. */
export const SHIFT = 8 * 3_600_000;

/** The ids of products in their order, and the time when it was first used. */
interface Kept {
  since: number;
  ids: number[];
}

const placeOf = (userId: number, areaId: number) => `${userId} ${areaId}`;

/**
 * Return the stored orders whose shift is not over.
 *
 * They are those of all users and areas on this device.
 */
function readAll(now: number): Record<string, Kept> {
  const all = Object.entries(deviceStorage.readJson<Record<string, Kept>>(KEY) ?? {});
  return Object.fromEntries(all.filter(([, { since }]) => now - since < SHIFT && since <= now));
}

/**
 * Return the order that the user saw in this area in this shift.
 *
 * It is empty before the first use.
 */
export const keptOrder = (userId: number, areaId: number, now = Date.now()) =>
  readAll(now)[placeOf(userId, areaId)]?.ids ?? [];

/** Store the order until eight hours after its first use. */
export function keepOrder(userId: number, areaId: number, ids: number[], now = Date.now()) {
  const all = readAll(now);
  const place = placeOf(userId, areaId);
  const since = all[place]?.since ?? now;
  deviceStorage.setItem(KEY, JSON.stringify({ ...all, [place]: { since, ids } }));
}

/**
 * Sort the usual products in the stored order, the pinned ones first.
 *
 * New ones come last, or replace one that is no longer in `shown`. The list never gets longer than the server's answer or
 * the stored order.
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
