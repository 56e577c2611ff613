import { tabStorage } from '@/state/storage';

/*
 * Return path and email across the login.
 *
 * The login page loads before the router, so neither can hold them for the other. They survive a reload of this tab.
 */

interface ReturnTo {
  from?: string;
  email?: string;
}

const KEY = 'visitor';

export const returnTo = (): ReturnTo => tabStorage.readJson(KEY) ?? {};

export const noteReturnTo = (news: ReturnTo) =>
  tabStorage.setItem(KEY, JSON.stringify({ ...returnTo(), ...news }));

export const forgetReturnTo = () => tabStorage.removeItem(KEY);
