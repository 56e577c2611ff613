import type { OwnAccountView } from '@/api/generated';
import { makeStore } from '@/app/store';
import { accountRead, signedIn } from '@/session/session';
import { endings } from './endings';

/** Create the application's store, with a signed-in user if there is one. */
export function storeFor(user?: OwnAccountView) {
  const store = makeStore();
  const empty = store.getState();
  // An answer that arrives after the test must store no drafts for the next one.
  endings.push(() => store.replaceReducer(() => empty));
  if (user) {
    store.dispatch(signedIn('token-1'));
    store.dispatch(accountRead(user));
  }
  return store;
}
