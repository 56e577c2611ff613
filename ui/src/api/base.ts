import type { FetchBaseQueryError } from '@reduxjs/toolkit/query';
import {
  type BaseQueryApi,
  type BaseQueryFn,
  createApi,
  type FetchArgs,
  fetchBaseQuery,
} from '@reduxjs/toolkit/query/react';
import { reportResponse } from './connectivity';
import { type ApiDependencies, type ApiSession, isSamePerson } from './dependencies';
import { withOfflineFallback } from './offlineFallback';
import { fetchOrPrefetched } from './prefetch';
import { codeOf } from './problem';
import { tokenSettled } from './renewal';
import { lockOnce, untilUnlocked } from './unlocking';

const sessionIn = (state: unknown) => (state as { session: ApiSession }).session;
const tokenIn = (state: unknown) => sessionIn(state).token;
const dependenciesOf = (call: BaseQueryApi) => call.extra as ApiDependencies;

const send = fetchBaseQuery({
  baseUrl: window.location.origin,
  timeout: 30_000,
  fetchFn: (request) => fetchOrPrefetched(request as Request),
  prepareHeaders(headers, { getState }) {
    const token = tokenIn(getState());
    // A call for another person on this device brings its own token.
    if (token && !headers.has('Authorization')) headers.set('Authorization', `Bearer ${token}`);
    headers.set('Accept-Language', document.documentElement.lang);
  },
});

/** Options of an endpoint. */
export interface CallOptions {
  /** The only statuses that are no failure: another 2xx may come from a captive portal. */
  success?: readonly number[];
  /** The call ends the current token and brings the next one. See renewal.ts. */
  renewsToken?: boolean;
}

async function networkQuery(
  request: FetchArgs,
  call: BaseQueryApi,
  options: CallOptions,
): Promise<Awaited<ReturnType<typeof send>>> {
  const begun = sessionIn(call.getState());
  if (begun.lockOwed && request.url !== LOCK.url) {
    const told = await confirmLock(call);
    // Nothing is read before the server has answered.
    if (told.error && sessionIn(call.getState()).lockOwed) return told;
  }
  const { success } = options;
  const validateStatus = success && (({ status }: Response) => success.includes(status));
  const answer = await send({ validateStatus, ...request }, call, options);
  const { response } = answer.meta ?? {};
  // An aborted call says nothing about the connection.
  if (response || !call.signal.aborted) reportResponse(response);
  const status = response?.status;
  const isOfCurrent = !new Headers(request.headers as HeadersInit).has('Authorization');
  if (isOfCurrent && begun.token && request.url === LOCK.url && isDecided(status))
    call.dispatch(dependenciesOf(call).lockConfirmed(begun.token));
  if (!isOfCurrent || !begun.token || (status !== 401 && status !== 403)) return answer;
  if (!options.renewsToken) await tokenSettled();
  const { storedToken, sessionChangedElsewhere, sessionExpired } = dependenciesOf(call);
  // Another tab may have replaced the token in the meantime.
  if (storedToken() !== tokenIn(call.getState())) call.dispatch(sessionChangedElsewhere());
  const now = sessionIn(call.getState());
  // A 401 for an old token must not end the session that replaced it. The same person's call is repeated with the new
  // token.
  if (begun.token !== now.token)
    return status === 401 && isSamePerson(begun, now) && !call.signal.aborted
      ? networkQuery(request, call, options)
      : answer;
  const limit = status === 403 ? LIMITS[codeOf(answer.error)] : undefined;
  if (limit) return (await limit(begun, call)) ? networkQuery(request, call, options) : answer;
  // The lock screen handles an ended session itself.
  if (!now.locked) call.dispatch(sessionExpired());
  return answer;
}

/**
 * What a 403 with this code does. Any other 403 ends the session.
 *
 * The promise is true if the call is to be repeated.
 */
const LIMITS: Record<string, (begun: ApiSession, call: BaseQueryApi) => Promise<boolean>> = {
  async session_locked(begun, call) {
    // The user may have unlocked it since the call began.
    if (!begun.locked) call.dispatch(dependenciesOf(call).lockedByServer());
    // A page behind the lock screen gets its data afterwards. A change is not repeated without its user.
    if (call.type !== 'query') return false;
    if (sessionIn(call.getState()).locked) await untilUnlocked();
    return !call.signal.aborted && sessionIn(call.getState()).token === begun.token;
  },
  // The session goes on, and the account that is read again leads to the page for passkeys.
  async second_factor_required(_, call) {
    call.dispatch(api.util.invalidateTags(['OwnAccount']));
    return false;
  },
};

const LOCK = { url: '/api/auth/lock', method: 'POST' };

/** Return whether repeating the call would change nothing. */
const isDecided = (status: number | undefined) => status !== undefined && status < 500 && status !== 429;

/** Lock the session on the server, once for all calls that wait for it. */
const confirmLock = (call: BaseQueryApi) =>
  lockOnce(call.dispatch, () => networkQuery(LOCK, call, { success: [204] }));

const baseQuery: BaseQueryFn<string | FetchArgs, unknown, FetchBaseQueryError, CallOptions> = (
  args,
  call,
  options = {},
) => {
  const request: FetchArgs = typeof args === 'string' ? { url: args } : args;
  return withOfflineFallback(
    request,
    request.url === LOCK.url ? confirmLock(call) : networkQuery(request, call, options),
    () => sessionIn(call.getState()),
    () => call.dispatch(api.util.invalidateTags([...FROM_THE_DEVICE])),
    dependenciesOf(call),
  );
};

/** Tags of data that may have come from the device. Most other tags are in tags.ts. */
const FROM_THE_DEVICE = ['Sheet', 'Detail', 'Area', 'Product', 'Kit'] as const;

export const api = createApi({
  baseQuery,
  // Words are what the server words, which is fetched again in another language.
  tagTypes: [...FROM_THE_DEVICE, 'OwnAccount', 'Hospital', 'Words'],
  endpoints: () => ({}),
});
