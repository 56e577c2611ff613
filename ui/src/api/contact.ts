/*
 * Whether the server answers, what time it is there, and when it wants to be asked again: told by every call.
 */

/** Below that the clocks agree: the header tells whole seconds, and an answer is under way for a while. */
const SAME = 2_000;
const PLACE = 'clockOffset';

let offset: number | null = null;
let quietUntil = 0;
const listeners = new Set<(answered: boolean) => void>();

function knownOffset() {
  offset ??= Number(localStorage.getItem(PLACE)) || 0;
  return offset;
}

/** This moment by the server's clock: a device whose own is wrong does no harm. */
export const serverNow = () => new Date(Date.now() + knownOffset());

/** For how long the server wants to be left alone, in milliseconds. */
export const quietFor = () => Math.max(0, quietUntil - Date.now());

/** Called when a call is answered, and when one is not; what stops that is returned. */
export function onContact(listener: (answered: boolean) => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What came of a call: an answer, or none though nobody gave it up. */
export function noteContact(answer: Response | undefined) {
  if (answer) {
    readClock(answer.headers.get('Date'));
    const quiet = Number(answer.headers.get('Retry-After'));
    if (quiet > 0 && [429, 503].includes(answer.status)) quietUntil = Date.now() + quiet * 1000;
    // A balancer that has nobody behind it answers too.
    if (answer.status >= 500) return;
  }
  for (const listener of listeners) listener(answer !== undefined);
}

function readClock(date: string | null) {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return;
  // In the midst of the second that it names.
  const found = there + 500 - Date.now();
  const is = Math.abs(found) < SAME ? 0 : found;
  if (Math.abs(is - knownOffset()) < SAME && is !== 0) return;
  if (is === offset) return;
  offset = is;
  // Kept for whoever opens this without network.
  if (is === 0) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, String(is));
}

/** As in a page that was just opened. */
export function forgetContact() {
  offset = null;
  quietUntil = 0;
}
