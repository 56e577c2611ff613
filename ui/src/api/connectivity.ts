import { readServerDate } from './serverClock';

/*
 * Whether the server answers, and when it wants to be asked again: told by every call.
 */

let quietUntil = 0;
const listeners = new Set<(answered: boolean) => void>();

/** For how long the server wants to be left alone, in milliseconds. */
export const retryAfterMs = () => Math.max(0, quietUntil - Date.now());

/** Called when a call is answered, and when one is not; what stops that is returned. */
export function onConnectivityChange(listener: (answered: boolean) => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What came of a call: an answer, or none though nobody gave it up. */
export function reportResponse(answer: Response | undefined) {
  if (answer) {
    readServerDate(answer.headers.get('Date'));
    const quiet = Number(answer.headers.get('Retry-After'));
    if (quiet > 0 && [429, 503].includes(answer.status)) quietUntil = Date.now() + quiet * 1000;
    // A balancer that has nobody behind it answers too.
    if (answer.status >= 500) return;
  }
  for (const listener of listeners) listener(answer !== undefined);
}

/** As in a page that was just opened. */
export function resetConnectivity() {
  quietUntil = 0;
}
