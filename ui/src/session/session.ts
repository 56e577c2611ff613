import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { useSelector } from 'react-redux';
import type { OwnAccountView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

export interface Session {
  token: string | null;
  user: OwnAccountView | null;
  /** True once the server has confirmed the token in this visit. */
  verified: boolean;
  /** Why the last session ended, when the person did not end it: the login says so. */
  notice: MessageId | null;
}

const nobody: Session = { token: null, user: null, verified: false, notice: null };

function storedUser(): OwnAccountView | null {
  try {
    return JSON.parse(localStorage.getItem('user') ?? 'null');
  } catch {
    return null;
  }
}

export function storedSession(): Session {
  const token = localStorage.getItem('token');
  return token ? { ...nobody, token, user: storedUser() } : nobody;
}

export function storeSession({ token, user }: Session) {
  if (token) localStorage.setItem('token', token);
  else localStorage.removeItem('token');
  if (user) localStorage.setItem('user', JSON.stringify(user));
  else localStorage.removeItem('user');
}

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
    signedOut: () => nobody,
    sessionExpired: () => ({ ...nobody, notice: 'session.expired' as const }),
    /** A new password ended all sessions of that person. */
    passwordChanged: () => ({ ...nobody, notice: 'session.passwordChanged' as const }),
    /** Another tab signed in or out. */
    sessionChangedElsewhere: (session, { payload }: PayloadAction<Session>) =>
      payload.token === session.token ? session : payload,
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
  sessionChangedElsewhere,
} = slice.actions;

export function useSession(): Session {
  return useSelector((state: { session: Session }) => state.session);
}
