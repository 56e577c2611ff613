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

export const returnTo = (): ReturnTo => JSON.parse(sessionStorage.getItem(KEY) ?? '{}');

export const noteReturnTo = (news: ReturnTo) =>
  sessionStorage.setItem(KEY, JSON.stringify({ ...returnTo(), ...news }));

export const forgetReturnTo = () => sessionStorage.removeItem(KEY);
