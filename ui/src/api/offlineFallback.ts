import type { FetchArgs, FetchBaseQueryError } from '@reduxjs/toolkit/query';
import { isOfflineEnabled } from '@/device/isOfflineEnabled';
import type { Session } from '@/session/session';

/*
 * Where the network gives no answer, what this device keeps is answered instead: pages ask as ever. What comes from the
 * device holds no prices; what is seen of an open sheet is kept for then.
 */

const KNOWN_HERE =
  /^\/api\/(settings|products|products\/lookup|kits|areas|consumption-sheets(\/\d+(\/(consumption-details|usual-products))?)?)$/;
/** How long a network that may be none is waited for before the device answers, in milliseconds. */
const ANSWER_TIMEOUT_MS = 4_000;
/** Once a late answer came, the network is there, and slow: for so long it is waited for. */
const TRUST_MS = 60_000;

interface Answer {
  data?: unknown;
  error?: FetchBaseQueryError;
}

let trustedUntil = 0;
/** Whether something stands on the screen that came from the device. */
let isStale = false;

const loadDevice = () => import('@/device/offlineApi');

/** Whether nobody answered who could have told more: no server, or a proxy before a server that is not there. */
const isUnanswered = ({ error }: Answer) =>
  error !== undefined &&
  (error.status === 'FETCH_ERROR' ||
    error.status === 'TIMEOUT_ERROR' ||
    [502, 503, 504].includes(Number(error.status)));

/** The answer of the network, or else what this device knows. `renew` asks anew for all that came from the device. */
export async function withOfflineFallback<Sent extends Answer>(
  request: FetchArgs,
  sent: PromiseLike<Sent>,
  session: () => Session,
  renew: () => void,
): Promise<Sent | { data: unknown }> {
  const { method = 'GET', url, params = {}, headers } = request;
  const isConditional = Object.values(headers ?? {}).some((value) => value !== undefined);
  const userId = session().user?.id;
  const asked = { path: url, params };
  const isAsked = method === 'GET' && KNOWN_HERE.test(url) && !isConditional && userId !== undefined;
  const ask = async () => {
    const known = await loadDevice()
      .then(({ readOffline }) => readOffline(asked, userId ?? 0))
      .catch(() => null); // not loaded, or a browser that keeps nothing
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
  if (isAsked && answer.data) storeInBackground(asked, answer.data, session);
  return answer;
}

function again(renew: () => void) {
  isStale = false;
  renew();
}

/** Not while a page is made ready. */
function storeInBackground(
  asked: { path: string; params: Record<string, unknown> },
  data: unknown,
  session: () => Session,
) {
  if (!/^\/api\/(settings$|consumption-sheets(\/\d|$))/.test(asked.path)) return;
  const { token, user } = session();
  if (!token || !user || !isOfflineEnabled()) return;
  setTimeout(() => {
    const isStill = () => session().user?.id === user.id && session().token !== null;
    const viewer = { userId: user.id, tokenEnds: endOf(token) };
    loadDevice()
      .then(({ storeResponse }) => storeResponse(asked, data, viewer, isStill))
      .catch(() => {}); // this browser keeps nothing, or the network is away
  }, 1_000);
}

/** When a token's life ends, as it tells itself. */
function endOf(token: string) {
  try {
    const { exp } = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')));
    return typeof exp === 'number' ? exp * 1000 : null;
  } catch {
    return null;
  }
}
