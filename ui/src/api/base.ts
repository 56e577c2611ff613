import type { FetchBaseQueryError } from '@reduxjs/toolkit/query';
import {
  type BaseQueryApi,
  type BaseQueryFn,
  createApi,
  type FetchArgs,
  fetchBaseQuery,
} from '@reduxjs/toolkit/query/react';
import { type Session, sessionExpired } from '@/session/session';
import { reportResponse } from './connectivity';
import { withOfflineFallback } from './offlineFallback';
import { fetchOrPrefetched } from './prefetch';

const sessionIn = (state: unknown) => (state as { session: Session }).session;
const tokenIn = (state: unknown) => sessionIn(state).token;

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

/** Where one status alone means that it is done. */
function onlySuccess({ method, url }: FetchArgs) {
  // What is pinned has nothing to tell.
  if (method === 'PUT') return url.endsWith('/favourite') ? 204 : 200;
  return url === '/api/auth/login' ? 201 : null;
}

async function overTheNetwork(request: FetchArgs, call: BaseQueryApi, extra: object) {
  const token = tokenIn(call.getState());
  const only = onlySuccess(request);
  const answer = await send(
    only ? { ...request, validateStatus: ({ status }) => status === only } : request,
    call,
    extra,
  );
  const { response } = answer.meta ?? {};
  // Who gave the call up did not wait for an answer.
  if (response || !call.signal.aborted) reportResponse(response);
  const status = response?.status;
  // A late refusal of an old token must not end the session that replaced it; a locked screen finds out by itself.
  const now = sessionIn(call.getState());
  if (token && (status === 401 || status === 403) && token === now.token && !now.locked) {
    call.dispatch(sessionExpired());
  }
  return answer;
}

const baseQuery: BaseQueryFn<string | FetchArgs, unknown, FetchBaseQueryError> = (args, call, extra) => {
  const request: FetchArgs = typeof args === 'string' ? { url: args } : args;
  return withOfflineFallback(
    request,
    overTheNetwork(request, call, extra),
    () => sessionIn(call.getState()),
    () => call.dispatch(api.util.invalidateTags([...FROM_THE_DEVICE])),
  );
};

/** What may have come from the device; the other tags are in tags.ts. */
const FROM_THE_DEVICE = ['Sheet', 'Detail', 'Area', 'Product', 'Kit'] as const;

export const api = createApi({ baseQuery, tagTypes: FROM_THE_DEVICE, endpoints: () => ({}) });
