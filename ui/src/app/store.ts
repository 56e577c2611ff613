import { configureStore, type Middleware } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from '@/api/base';
import { type ApiDependencies, isSamePerson } from '@/api/dependencies';
import { tokenSettled } from '@/api/renewal';
import { releaseWaiting } from '@/api/unlocking';
import { isOfflineEnabled } from '@/device/isOfflineEnabled';
import { outboxMiddleware } from '@/outbox/middleware';
import { outboxReducer } from '@/outbox/outboxSlice';
import { markActive } from '@/session/activity';
import {
  CHANGED_KEY,
  lockConfirmed,
  lockedByServer,
  type Session,
  sessionChangedElsewhere,
  sessionExpired,
  sessionReducer,
  storedSession,
  storeSession,
} from '@/session/session';
import { storedToken } from '@/session/storedToken';

/** What API calls use of the session and of this device. */
export const apiDependencies: ApiDependencies = {
  storedToken,
  sessionChangedElsewhere: () => sessionChangedElsewhere(storedSession()),
  sessionExpired,
  lockedByServer,
  lockConfirmed,
  isOfflineEnabled,
  loadOfflineStore: () => import('@/device/offlineApi'),
};

/** Empty the cache when another user signs in, to prevent data leaks. */
const resetCacheOnUserChange: Middleware = (store) => (next) => (action) => {
  const before = (store.getState() as { session: Session }).session;
  const result = next(action);
  const { session } = store.getState() as { session: Session };
  if (session.token !== before.token && !isSamePerson(session, before))
    store.dispatch(api.util.resetApiState());
  return result;
};

/**
 * Store each change of the session for other tabs.
 *
 * What came from another tab is not stored: two tabs would overwrite one another's changes without end.
 */
const storeSessionChanges: Middleware = (store) => (next) => (action) => {
  const { session: former } = store.getState() as { session: Session };
  const result = next(action);
  const { session } = store.getState() as { session: Session };
  if (session === former) return result;
  // Signing in or unlocking proves that the user is there.
  if (session.token && (session.token !== former.token || (former.locked && !session.locked))) markActive();
  if (!sessionChangedElsewhere.match(action)) storeSession(session, former);
  if (former.locked && !session.locked) releaseWaiting();
  return result;
};

export function makeStore() {
  return configureStore({
    reducer: { session: sessionReducer, outbox: outboxReducer, [api.reducerPath]: api.reducer },
    preloadedState: { session: storedSession() },
    middleware: (defaults) =>
      defaults({ thunk: { extraArgument: apiDependencies } })
        .prepend(outboxMiddleware.middleware)
        .concat(resetCacheOnUserChange, api.middleware, storeSessionChanges),
  });
}

export type Store = ReturnType<typeof makeStore>;

/** Listen for sign-ins in other tabs, the network, and window focus. */
export function attachListeners(store: Store) {
  setupListeners(store.dispatch);
  window.addEventListener('storage', async ({ key }) => {
    if (key !== null && key !== CHANGED_KEY) return;
    // A tab whose old token was refused does not know about the new one that is on its way.
    await tokenSettled();
    store.dispatch(sessionChangedElsewhere(storedSession()));
  });
  purgeDeviceData(store);
}

/** How often expired sheets are deleted from the device, and the delay after the page loads. In milliseconds. */
const FORGET_EVERY = 10 * 60_000;
const FORGET_FIRST = 3_000;

/** Delete stored sheets when the session ends, or after some hours. */
function purgeDeviceData(store: Store) {
  const viewer = () => {
    const { token, user } = store.getState().session;
    return token && user ? user.id : null;
  };
  const forget = () => import('@/device/sheets').then(({ sheetsOf }) => sheetsOf(viewer())).catch(() => {}); // no storage in this browser
  let last = viewer();
  store.subscribe(() => {
    if (viewer() === last) return;
    last = viewer();
    forget();
  });
  setTimeout(forget, FORGET_FIRST);
  setInterval(forget, FORGET_EVERY);
}
