/*
 * Where somebody was heading when they were asked to sign in, and the email that they gave. The login is there before
 * the router is, so neither can keep it for the other; it outlives a reload of this tab.
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
