import { configureStore, type Middleware } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from '@/api/base';
import {
  type Session,
  sessionChangedElsewhere,
  sessionReducer,
  storedSession,
  storeSession,
  tokenRenewed,
} from '@/session/session';

/** What one person was shown must never reach the next one: a new token empties the cache. */
const forgetAnswers: Middleware = (store) => (next) => (action) => {
  const tokenBefore = (store.getState() as { session: Session }).session.token;
  const result = next(action);
  const { token } = (store.getState() as { session: Session }).session;
  if (token !== tokenBefore && !tokenRenewed.match(action)) store.dispatch(api.util.resetApiState());
  return result;
};

export function makeStore() {
  const store = configureStore({
    reducer: { session: sessionReducer, [api.reducerPath]: api.reducer },
    preloadedState: { session: storedSession() },
    middleware: (defaults) => defaults().concat(forgetAnswers, api.middleware),
  });
  let stored = store.getState().session;
  store.subscribe(() => {
    const { session } = store.getState();
    if (session === stored) return;
    stored = session;
    storeSession(session);
  });
  return store;
}

export type Store = ReturnType<typeof makeStore>;

/** Follow the world outside this tab: sign-ins elsewhere, the network, the window coming back. */
export function listen(store: Store) {
  setupListeners(store.dispatch);
  window.addEventListener('storage', ({ key }) => {
    if (key === 'token' || key === null) store.dispatch(sessionChangedElsewhere(storedSession()));
  });
}
