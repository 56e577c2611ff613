import type { FetchArgs, FetchBaseQueryError } from '@reduxjs/toolkit/query';
import type { ApiDependencies, ApiRequest, ApiSession } from './dependencies';

/*
 * Offline fallback for GET requests, from data on the device.
 *
 * Pages query as usual; the device answers if the network gives no response. Its data has no prices. Open sheets are
 * stored on the device when they are read.
 */

const KNOWN_HERE =
  /^\/api\/(settings|ward|products|products\/lookup|kits(\/\d+)?|areas(\/\d+\/sheets)?|area-sheets\/\d+|consumption-sheets(\/\d+(\/(consumption-details|usual-products))?)?)$/;
/** A request that adds what is not there: the next visit repeats it. */
const OPENED_HERE = /^\/api\/areas\/\d+\/sheet$/;
/** Timeout of a slow network before the device answers, in milliseconds. */
const ANSWER_TIMEOUT_MS = 4_000;
/** After a late response the network is slow but there: wait for it for this long, in milliseconds. */
const TRUST_MS = 60_000;

interface Answer {
  data?: unknown;
  error?: FetchBaseQueryError;
}

let trustedUntil = 0;
/** Whether the page shows data from the device. */
let isStale = false;
/** The number of resets: a response from before a reset is not stored. */
let resets = 0;

/** Return whether no server, or only a proxy without one, responded. */
const isUnanswered = ({ error }: Answer) =>
  error !== undefined &&
  (error.status === 'FETCH_ERROR' ||
    error.status === 'TIMEOUT_ERROR' ||
    [502, 503, 504].includes(Number(error.status)));

/**
 * Return the network's response, or else the device's data.
 *
 * `renew` refetches all data that came from the device. It is called once the server answers again.
 */
export async function withOfflineFallback<Sent extends Answer>(
  request: FetchArgs,
  sent: PromiseLike<Sent>,
  session: () => ApiSession,
  renew: () => void,
  device: Pick<ApiDependencies, 'isOfflineEnabled' | 'loadOfflineStore'>,
): Promise<Sent | { data: unknown }> {
  const { method = 'GET', url, params = {}, headers } = request;
  const isConditional = Object.values(headers ?? {}).some((value) => value !== undefined);
  const userId = session().user?.id;
  const asked = { path: url, params };
  const known = method === 'GET' ? KNOWN_HERE : OPENED_HERE;
  const isAsked = known.test(url) && !isConditional && userId !== undefined;
  const ask = async () => {
    const known = await device
      .loadOfflineStore()
      .then(({ readOffline }) => readOffline(asked, userId ?? 0))
      .catch(() => null); // module not loaded, or no storage in this browser
    if (known === null || session().user?.id !== userId) return null;
    if (!isStale) window.addEventListener('online', () => isStale && again(renew), { once: true });
    isStale = true;
    return { data: known };
  };

  let answer: Sent | null = null;
  if (isAsked && Date.now() > trustedUntil) {
    answer = await Promise.race([
      sent,
      new Promise<null>((done) => setTimeout(done, ANSWER_TIMEOUT_MS, null)),
    ]);
    const known = answer === null ? await ask() : null;
    if (known) {
      sent.then((late) => {
        if (isUnanswered(late)) return;
        trustedUntil = Date.now() + TRUST_MS;
        again(renew);
      });
      return known;
    }
  }
  answer ??= await sent;
  if (isUnanswered(answer)) return (isAsked && (await ask())) || answer;
  if (isStale) again(renew);
  if (isAsked && answer.data) storeInBackground(asked, answer.data, session, device);
  return answer;
}

function again(renew: () => void) {
  isStale = false;
  renew();
}

/** Store the response on the device after rendering, a second later. */
function storeInBackground(
  asked: ApiRequest,
  data: unknown,
  session: () => ApiSession,
  { isOfflineEnabled, loadOfflineStore }: Pick<ApiDependencies, 'isOfflineEnabled' | 'loadOfflineStore'>,
) {
  if (!/^\/api\/(settings$|areas\/\d+\/sheet$|area-sheets|consumption-sheets(\/\d|$))/.test(asked.path))
    return;
  const { token, user } = session();
  if (!token || !user || !isOfflineEnabled()) return;
  const begun = resets;
  setTimeout(() => {
    const isStill = () => resets === begun && session().user?.id === user.id && session().token !== null;
    const viewer = { userId: user.id, tokenEnds: endOf(token) };
    loadOfflineStore()
      .then(({ storeResponse }) => storeResponse(asked, data, viewer, isStill))
      .catch(() => {}); // no storage in this browser, or the module could not load
  }, 1_000);
}

/** Reset the state for tests. */
export function resetOfflineFallback() {
  trustedUntil = 0;
  isStale = false;
  resets += 1;
}

/** Return the expiry of a JWT in milliseconds, or null if it has none. */
function endOf(token: string) {
  try {
    const { exp } = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')));
    return typeof exp === 'number' ? exp * 1000 : null;
  } catch {
    return null;
  }
}
