import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { useSelector } from 'react-redux';
import type { OwnAccountView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { storedToken } from './storedToken';

export interface Session {
  token: string | null;
  user: OwnAccountView | null;
  /** True once the server has confirmed the token since the page was loaded. */
  verified: boolean;
  /** Why the last session ended, when the person did not end it: the login says so. */
  notice: MessageId | null;
  /** Nobody was there for a while: the screen is locked until that person shows who they are. */
  locked: boolean;
  /** The last person left: whoever comes next is not led to where that one was. */
  left: boolean;
}

const nobody: Session = {
  token: null,
  user: null,
  verified: false,
  notice: null,
  locked: false,
  left: false,
};

/** Whether the screen is locked, under the name that devices in use know. */
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
    ? { ...nobody, token, user: storedUser(), locked: localStorage.getItem(LOCKED_KEY) !== null }
    : nobody;
}

export function storeSession({ token, user, locked }: Session) {
  if (locked) localStorage.setItem(LOCKED_KEY, 'yes');
  else localStorage.removeItem(LOCKED_KEY);
  if (token) localStorage.setItem('token', token);
  else localStorage.removeItem('token');
  if (user) localStorage.setItem('user', JSON.stringify(user));
  else localStorage.removeItem('user');
}

export const isSamePerson = (one: Session, other: Session) =>
  one.user !== null && one.user.id === other.user?.id;

const slice = createSlice({
  name: 'session',
  initialState: nobody,
  reducers: {
    signedIn: (_, { payload }: PayloadAction<string>) => ({ ...nobody, token: payload }),
    accountRead: (session, { payload }: PayloadAction<OwnAccountView>) => ({
      ...session,
      user: payload,
      verified: true,
    }),
    /** The same person goes on under another token: nothing that was read is stale. */
    tokenRenewed: (session, { payload }: PayloadAction<string>) => ({ ...session, token: payload }),
    signedOut: () => ({ ...nobody, left: true }),
    sessionExpired: () => ({ ...nobody, notice: 'session.expired' as const }),
    /** A new password ended all sessions of that person. */
    passwordChanged: () => ({ ...nobody, notice: 'session.passwordChanged' as const }),
    locked: (session) => (session.token ? { ...session, locked: true } : session),
    unlocked: (session) => ({ ...session, locked: false }),
    /** Another tab signed in or out, was locked or unlocked, or went on in another session of the same person. */
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
