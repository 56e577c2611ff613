import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { useSelector } from 'react-redux';
import { type ApiSession, isSamePerson } from '@/api/dependencies';
import type { OwnAccountView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { deviceStorage } from '@/state/storage';
import { type ParkedPerson, parkedPeople, personOf, storeParkedPeople, withParked } from './parkedPeople';
import { isLockStored, LOCKED_KEY, storedToken } from './storedToken';

export interface Session extends ApiSession {
  user: OwnAccountView | null;
  /** True once the server has confirmed the token since the page was loaded. */
  verified: boolean;
  /** Why the last session ended, shown on the login page, unless the user signed out. */
  notice: MessageId | null;
  /** The screen was idle: it is locked until the user unlocks it. */
  locked: boolean;
  /** The last user signed out, so the next one is not sent to that user's page. */
  left: boolean;
  /** The session belongs to the key of this device, so that it can be unlocked by PIN and badge. */
  isBound: boolean;
  /** Other people with a locked session on this device, latest first. */
  parked: ParkedPerson[];
  /** The person whose badge locked the screen: their keypad is shown first. */
  badgeOf: number | null;
}

declare module '@/state/storeHooks' {
  interface RootState {
    session: Session;
  }
}

const signedOutSession: Session = {
  token: null,
  user: null,
  verified: false,
  notice: null,
  locked: false,
  lockOwed: false,
  left: false,
  isBound: false,
  parked: [],
  badgeOf: null,
};

/** Storage key that is written last, so that other tabs read the session as a whole. */
export const CHANGED_KEY = 'sessionChanged';

const OWED = 'owed';
const BOUND_KEY = 'bound';

export function storedSession(): Session {
  const token = storedToken();
  const parked = parkedPeople();
  return token
    ? {
        ...signedOutSession,
        token,
        user: deviceStorage.readJson<OwnAccountView>('user') ?? null,
        locked: isLockStored(),
        lockOwed: deviceStorage.getItem(LOCKED_KEY) === OWED,
        isBound: deviceStorage.getItem(BOUND_KEY) !== null,
        parked,
      }
    : { ...signedOutSession, parked };
}

/** Store what changed. Other tabs may have stored the rest. */
export function storeSession(session: Session, former: Session) {
  const { token, user, locked, lockOwed, isBound, parked } = session;
  const put = (key: string, value: string | null) =>
    value === null ? deviceStorage.removeItem(key) : deviceStorage.setItem(key, value);
  if (parked !== former.parked) storeParkedPeople(parked);
  put(LOCKED_KEY, locked ? (lockOwed ? OWED : 'yes') : null);
  put(BOUND_KEY, isBound ? 'yes' : null);
  put('token', token);
  put('user', user && JSON.stringify(user));
  put(CHANGED_KEY, String(Math.random()));
}

/** Return a new session on this device. The locked sessions of other people stay. */
const begun = ({ parked }: Session, change: Partial<Session>): Session => ({
  ...signedOutSession,
  parked,
  ...change,
});

/** Return the parked people with the current user, if their session may stay. */
const parkedWith = ({ token, user, locked, lockOwed, isBound, parked }: Session) =>
  token && user?.quick_unlock && locked && !lockOwed
    ? withParked(parked, personOf(user, token, isBound))
    : parked;

const slice = createSlice({
  name: 'session',
  initialState: signedOutSession,
  reducers: {
    signedIn: (session, { payload }: PayloadAction<string>) => begun(session, { token: payload }),
    accountRead: (session, { payload }: PayloadAction<OwnAccountView>) => ({
      ...session,
      user: payload,
      verified: true,
    }),
    /** The same user has a new token: the cache stays valid. */
    tokenRenewed: (session, { payload }: PayloadAction<string>) => ({
      ...session,
      token: payload,
      lockOwed: false,
      isBound: false,
    }),
    signedOut: (session) => begun(session, { left: true }),
    sessionExpired: (session) => begun(session, { notice: 'session.expired' as const }),
    /** A new password ended all sessions of the user. */
    passwordChanged: (session) => begun(session, { notice: 'session.passwordChanged' as const }),
    /** The screen is locked, by a badge if the payload says whose. */
    locked: (session, { payload }: PayloadAction<number | undefined>) =>
      session.token && session.user
        ? { ...session, locked: true, lockOwed: true, badgeOf: payload ?? null }
        : session,
    /** The server has locked the session. Without knowing whose it is, this device cannot unlock it. */
    lockedByServer: (session) =>
      session.user ? { ...session, locked: true } : begun(session, { notice: 'session.expired' as const }),
    lockConfirmed: (session, { payload }: PayloadAction<string>) =>
      session.token === payload ? { ...session, lockOwed: false } : session,
    unlocked: (session) => ({ ...session, locked: false, lockOwed: false, badgeOf: null }),
    /** The key of this device signed for the session of the token. */
    deviceBound: (session, { payload }: PayloadAction<string>) =>
      session.token === payload ? { ...session, isBound: true } : session,
    /** The user leaves the screen to others; the locked session stays on this device. */
    parked: (session) => begun(session, { left: true, parked: parkedWith(session) }),
    /** Another person unlocked their session on this device. */
    personSwitched: (session, { payload: { userId, token, isBound } }: PayloadAction<ParkedPerson>) =>
      begun(session, {
        token,
        isBound,
        parked: parkedWith(session).filter((one) => one.userId !== userId),
      }),
    personRemoved: (session, { payload }: PayloadAction<number>) => ({
      ...session,
      parked: session.parked.filter(({ userId }) => userId !== payload),
    }),
    /** Another tab signed in or out, locked or unlocked, or continued in another session of the same user. */
    sessionChangedElsewhere: (session, { payload }: PayloadAction<Session>) => {
      const { token, locked, lockOwed, isBound, parked } = payload;
      return token === session.token || isSamePerson(payload, session)
        ? { ...session, token, locked, lockOwed, isBound, parked }
        : { ...payload, left: token === null };
    },
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
  lockedByServer,
  lockConfirmed,
  unlocked,
  deviceBound,
  parked,
  personSwitched,
  personRemoved,
  sessionChangedElsewhere,
} = slice.actions;

export function useSession(): Session {
  return useSelector((state: { session: Session }) => state.session);
}
