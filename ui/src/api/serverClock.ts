import { deviceStorage } from '@/state/storage';

/* The server's clock, measured from the `Date` header of its responses. */

/**
 * Differences below this many milliseconds are ignored: the header has whole seconds, and a response takes time to
 * arrive.
 */
const SAME = 2_000;
const PLACE = 'clockOffset';

let offset: number | null = null;

function readOffset() {
  offset ??= Number(deviceStorage.getItem(PLACE)) || 0;
  return offset;
}

/** Return the server's current time, even if the device's is wrong. */
export const serverNow = () => new Date(Date.now() + readOffset());

/** Set the clock offset from the `Date` header of a response. */
export function readServerDate(date: string | null) {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return;
  // Assume the middle of the second in the header.
  const found = there + 500 - Date.now();
  const is = Math.abs(found) < SAME ? 0 : found;
  if (Math.abs(is - readOffset()) < SAME && is !== 0) return;
  if (is === offset) return;
  offset = is;
  // Keep the offset for work offline after a reload.
  if (is === 0) deviceStorage.removeItem(PLACE);
  else deviceStorage.setItem(PLACE, String(is));
}

/** Reset the state for tests. */
export function resetServerClock() {
  offset = null;
}
