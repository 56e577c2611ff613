import { deviceStorage } from '@/state/storage';

/** Return the token of the user signed in on this device. */
export const storedToken = () => deviceStorage.getItem('token');

/** Storage key of the lock, with the name that existing devices use. */
export const LOCKED_KEY = 'covered';

/** Return whether the screen of this device is locked. */
export const isLockStored = () => deviceStorage.getItem(LOCKED_KEY) !== null;
