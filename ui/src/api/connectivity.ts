import { readServerDate } from './serverClock';

/*
 * Connectivity of the server, as reported by every call.
 *
 * It knows whether the server answers, and how long it wants to be left alone.
 */

let quietUntil = 0;
const listeners = new Set<(answered: boolean) => void>();

/** Return the milliseconds until requests are allowed (`Retry-After`). */
export const retryAfterMs = () => Math.max(0, quietUntil - Date.now());

/**
 * Call the listener after each response or failed call.
 *
 * Return a function that unsubscribes it.
 */
export function onConnectivityChange(listener: (answered: boolean) => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Report the response of a call; undefined for a network failure.
 *
 * Aborted calls are not reported.
 */
export function reportResponse(answer: Response | undefined) {
  if (answer) {
    readServerDate(answer.headers.get('Date'));
    const quiet = Number(answer.headers.get('Retry-After'));
    if (quiet > 0 && [429, 503].includes(answer.status)) quietUntil = Date.now() + quiet * 1000;
    // A load balancer without a working server answers, too.
    if (answer.status >= 500) return;
  }
  for (const listener of listeners) listener(answer !== undefined);
}

/** Reset the state for tests. */
export function resetConnectivity() {
  quietUntil = 0;
}
