import type { OwnAccountView } from '@/api/generated';
import { makeStore } from '@/app/store';
import { accountRead, signedIn } from '@/session/session';

/** Create the application's store, with a signed-in user if there is one. */
export function storeFor(user?: OwnAccountView) {
  const store = makeStore();
  if (user) {
    store.dispatch(signedIn('token-1'));
    store.dispatch(accountRead(user));
  }
  return store;
}
