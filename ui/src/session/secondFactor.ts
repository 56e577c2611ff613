import { tabStorage } from '@/state/storage';

/*
 * Before the day from which a role needs a passkey, its users are asked to register one, and may put it off.
 */

const KEY = 'passkeyLater';

const today = () => new Date().toDateString();

/** Put off registering a passkey until tomorrow, or until the browser is closed. */
export const postponePasskey = (userId: number) => tabStorage.setItem(KEY, `${userId} ${today()}`);

/** Return whether the user put it off today. */
export const isPasskeyPostponed = (userId: number) => tabStorage.getItem(KEY) === `${userId} ${today()}`;
