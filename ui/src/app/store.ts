import { configureStore, type Middleware } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from '@/api/base';
import { tokenSettled } from '@/api/renewal';
import { outboxMiddleware } from '@/outbox/middleware';
import { outboxReducer } from '@/outbox/outboxSlice';
import { markActive } from '@/session/activity';
import {
  isSamePerson,
  LOCKED_KEY,
  type Session,
  sessionChangedElsewhere,
  sessionReducer,
  storedSession,
  storeSession,
} from '@/session/session';

/** What one person was shown must never reach the next one: a new token empties the cache. */
const resetCacheOnUserChange: Middleware = (store) => (next) => (action) => {
  const before = (store.getState() as { session: Session }).session;
  const result = next(action);
  const { session } = store.getState() as { session: Session };
  if (session.token !== before.token && !isSamePerson(session, before))
    store.dispatch(api.util.resetApiState());
  return result;
};

export function makeStore() {
  const store = configureStore({
    reducer: { session: sessionReducer, outbox: outboxReducer, [api.reducerPath]: api.reducer },
    preloadedState: { session: storedSession() },
    middleware: (defaults) =>
      defaults().prepend(outboxMiddleware.middleware).concat(resetCacheOnUserChange, api.middleware),
  });
  let stored = store.getState().session;
  store.subscribe(() => {
    const { session } = store.getState();
    if (session === stored) return;
    // Who signs in, or shows who they are, is there.
    if (session.token && (session.token !== stored.token || (stored.locked && !session.locked))) markActive();
    stored = session;
    storeSession(session);
  });
  return store;
}

export type Store = ReturnType<typeof makeStore>;

/** Follow the world outside this tab: sign-ins elsewhere, the network, the window coming back. */
export function attachListeners(store: Store) {
  setupListeners(store.dispatch);
  window.addEventListener('storage', async ({ key }) => {
    if (key !== 'token' && key !== LOCKED_KEY && key !== null) return;
    // A tab that was refused the old token knows nothing of the one that is on its way here.
    await tokenSettled();
    store.dispatch(sessionChangedElsewhere(storedSession()));
  });
  purgeDeviceData(store);
}

/** How often it is looked whether the time of what was seen is over, and how long a page is left to begin with. */
const FORGET_EVERY = 10 * 60_000;
const FORGET_FIRST = 3_000;

/** What somebody saw is gone from this device with their session, and after some hours in any case. */
function purgeDeviceData(store: Store) {
  const viewer = () => {
    const { token, user } = store.getState().session;
    return token && user ? user.id : null;
  };
  const forget = () => import('@/device/sheets').then(({ sheetsOf }) => sheetsOf(viewer())).catch(() => {}); // this browser keeps nothing
  let last = viewer();
  store.subscribe(() => {
    if (viewer() === last) return;
    last = viewer();
    forget();
  });
  setTimeout(forget, FORGET_FIRST);
  setInterval(forget, FORGET_EVERY);
}
