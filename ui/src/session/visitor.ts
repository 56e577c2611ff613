/*
 * Where somebody was heading when they were asked to sign in, and the email that they gave. The login is there before
 * the router is, so neither can keep it for the other; it outlives a reload of this tab.
 */

interface Visitor {
  from?: string;
  email?: string;
}

const KEY = 'visitor';

export const visitor = (): Visitor => JSON.parse(sessionStorage.getItem(KEY) ?? '{}');

export const noteVisitor = (news: Visitor) =>
  sessionStorage.setItem(KEY, JSON.stringify({ ...visitor(), ...news }));

export const forgetVisitor = () => sessionStorage.removeItem(KEY);
