/** Return the token of the user signed in on this device. */
export const storedToken = () => localStorage.getItem('token');

/** Storage key of the lock, with the name that existing devices use. */
export const LOCKED_KEY = 'covered';

/** Return whether the screen of this device is locked. */
export const isLockStored = () => localStorage.getItem(LOCKED_KEY) !== null;
