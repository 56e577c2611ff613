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
import { tokenSettled } from './renewal';

const sessionIn = (state: unknown) => (state as { session: ApiSession }).session;
const tokenIn = (state: unknown) => sessionIn(state).token;
const dependenciesOf = (call: BaseQueryApi) => call.extra as ApiDependencies;

const send = fetchBaseQuery({
  baseUrl: window.location.origin,
  timeout: 30_000,
  fetchFn: (request) => fetchOrPrefetched(request as Request),
  prepareHeaders(headers, { getState }) {
    const token = tokenIn(getState());
    if (token) headers.set('Authorization', `Bearer ${token}`);
    headers.set('Accept-Language', document.documentElement.lang);
  },
});

/** URLs for which any other status is a failure, even another 2xx. */
const ONLY_SUCCESS: Record<string, number[]> = {
  '/api/auth/login': [201, 202],
  '/api/auth/password-reset': [202],
  '/api/auth/password-reset/confirm': [201, 202],
};

/** Return the only success statuses of a request, or null if any 2xx will do. */
function expectedStatus({ method, url }: FetchArgs) {
  // Pinning a product and the reports of devices return no content.
  if (method === 'PUT') return [/\/(favourite|outbox)$/.test(url) ? 204 : 200];
  return ONLY_SUCCESS[url] ?? null;
}

/** Options of an endpoint. */
export interface CallOptions {
  /** The call ends the current token and brings the next one. See renewal.ts. */
  renewsToken?: boolean;
}

async function networkQuery(
  request: FetchArgs,
  call: BaseQueryApi,
  options: CallOptions,
): Promise<Awaited<ReturnType<typeof send>>> {
  const begun = sessionIn(call.getState());
  const only = expectedStatus(request);
  const answer = await send(
    only ? { ...request, validateStatus: ({ status }) => only.includes(status) } : request,
    call,
    options,
  );
  const { response } = answer.meta ?? {};
  // An aborted call says nothing about the connection.
  if (response || !call.signal.aborted) reportResponse(response);
  const status = response?.status;
  if (!begun.token || (status !== 401 && status !== 403)) return answer;
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
  // The session goes on, and the account that is read again leads to the page for passkeys.
  if ((answer.error?.data as { code?: string } | null)?.code === 'second_factor_required') {
    call.dispatch(api.util.invalidateTags(['OwnAccount']));
    return answer;
  }
  // The lock screen handles an ended session itself.
  if (!now.locked) call.dispatch(sessionExpired());
  return answer;
}

const baseQuery: BaseQueryFn<string | FetchArgs, unknown, FetchBaseQueryError, CallOptions> = (
  args,
  call,
  options = {},
) => {
  const request: FetchArgs = typeof args === 'string' ? { url: args } : args;
  return withOfflineFallback(
    request,
    networkQuery(request, call, options),
    () => sessionIn(call.getState()),
    () => call.dispatch(api.util.invalidateTags([...FROM_THE_DEVICE])),
    dependenciesOf(call),
  );
};

/** Tags of data that may have come from the device. The other tags are in tags.ts. */
const FROM_THE_DEVICE = ['Sheet', 'Detail', 'Area', 'Product', 'Kit'] as const;

export const api = createApi({
  baseQuery,
  tagTypes: [...FROM_THE_DEVICE, 'OwnAccount'],
  endpoints: () => ({}),
});
