import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from '@/api/base';
import type { ApiDependencies } from '@/api/dependencies';
import { isOfflineEnabled } from '@/device/isOfflineEnabled';
import '@/device/purge';
import { outboxReducer } from '@/outbox/outboxSlice';
import '@/session/listeners';
import {
  lockConfirmed,
  lockedByServer,
  sessionChangedElsewhere,
  sessionExpired,
  sessionReducer,
  storedSession,
} from '@/session/session';
import { storedToken } from '@/session/storedToken';
import { listeners, pageLoaded } from '@/state/listeners';

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

export function makeStore() {
  return configureStore({
    reducer: { session: sessionReducer, outbox: outboxReducer, [api.reducerPath]: api.reducer },
    preloadedState: { session: storedSession() },
    middleware: (defaults) =>
      defaults({ thunk: { extraArgument: apiDependencies } })
        .prepend(listeners.middleware)
        .concat(api.middleware),
  });
}

export type Store = ReturnType<typeof makeStore>;

/** Listen for sign-ins in other tabs, the network, and window focus, and begin to purge the device's data. */
export function attachListeners(store: Store) {
  setupListeners(store.dispatch);
  store.dispatch(pageLoaded());
}
