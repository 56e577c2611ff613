/*
 * What time it is at the server, by the header that each of its answers has.
 */

/** Below that the clocks agree: the header tells whole seconds, and an answer is under way for a while. */
const SAME = 2_000;
const PLACE = 'clockOffset';

let offset: number | null = null;

function readOffset() {
  offset ??= Number(localStorage.getItem(PLACE)) || 0;
  return offset;
}

/** This moment by the server's clock: a device whose own is wrong does no harm. */
export const serverNow = () => new Date(Date.now() + readOffset());

/** Sets it by the `Date` of an answer. */
export function readServerDate(date: string | null) {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return;
  // In the midst of the second that it names.
  const found = there + 500 - Date.now();
  const is = Math.abs(found) < SAME ? 0 : found;
  if (Math.abs(is - readOffset()) < SAME && is !== 0) return;
  if (is === offset) return;
  offset = is;
  // Kept for whoever opens this without network.
  if (is === 0) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, String(is));
}

/** As in a page that was just opened. */
export function resetServerClock() {
  offset = null;
}
