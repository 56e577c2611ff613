import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { useSelector } from 'react-redux';
import { type ApiSession, isSamePerson } from '@/api/dependencies';
import type { OwnAccountView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { storedToken } from './storedToken';

export interface Session extends ApiSession {
  user: OwnAccountView | null;
  /** True once the server has confirmed the token since the page was loaded. */
  verified: boolean;
  /** Why the last session ended, shown on the login page, unless the user signed out. */
  notice: MessageId | null;
  /** The screen was idle: it is locked until the user enters the password. */
  locked: boolean;
  /** The last user signed out, so the next one is not sent to that user's page. */
  left: boolean;
}

const signedOutSession: Session = {
  token: null,
  user: null,
  verified: false,
  notice: null,
  locked: false,
  left: false,
};

/** Storage key of the lock, with the name that existing devices use. */
export const LOCKED_KEY = 'covered';

function storedUser(): OwnAccountView | null {
  try {
    return JSON.parse(localStorage.getItem('user') ?? 'null');
  } catch {
    return null;
  }
}

export function storedSession(): Session {
  const token = storedToken();
  return token
    ? { ...signedOutSession, token, user: storedUser(), locked: localStorage.getItem(LOCKED_KEY) !== null }
    : signedOutSession;
}

export function storeSession({ token, user, locked }: Session) {
  if (locked) localStorage.setItem(LOCKED_KEY, 'yes');
  else localStorage.removeItem(LOCKED_KEY);
  if (token) localStorage.setItem('token', token);
  else localStorage.removeItem('token');
  if (user) localStorage.setItem('user', JSON.stringify(user));
  else localStorage.removeItem('user');
}

const slice = createSlice({
  name: 'session',
  initialState: signedOutSession,
  reducers: {
    signedIn: (_, { payload }: PayloadAction<string>) => ({ ...signedOutSession, token: payload }),
    accountRead: (session, { payload }: PayloadAction<OwnAccountView>) => ({
      ...session,
      user: payload,
      verified: true,
    }),
    /** The same user has a new token: the cache stays valid. */
    tokenRenewed: (session, { payload }: PayloadAction<string>) => ({ ...session, token: payload }),
    signedOut: () => ({ ...signedOutSession, left: true }),
    sessionExpired: () => ({ ...signedOutSession, notice: 'session.expired' as const }),
    /** A new password ended all sessions of the user. */
    passwordChanged: () => ({ ...signedOutSession, notice: 'session.passwordChanged' as const }),
    locked: (session) => (session.token ? { ...session, locked: true } : session),
    unlocked: (session) => ({ ...session, locked: false }),
    /** Another tab signed in or out, locked or unlocked, or continued in another session of the same user. */
    sessionChangedElsewhere: (session, { payload }: PayloadAction<Session>) =>
      payload.token === session.token || isSamePerson(payload, session)
        ? { ...session, token: payload.token, locked: payload.locked }
        : { ...payload, left: payload.token === null },
  },
});

export const sessionReducer = slice.reducer;
export const {
  signedIn,
  accountRead,
  tokenRenewed,
  signedOut,
  sessionExpired,
  passwordChanged,
  locked,
  unlocked,
  sessionChangedElsewhere,
} = slice.actions;

export function useSession(): Session {
  return useSelector((state: { session: Session }) => state.session);
}
