import type { UnknownAction } from '@reduxjs/toolkit';

/*
 * What API calls use of the session and of the device.
 *
 * `api` imports no other folder: `app/store.ts` passes an `ApiDependencies` as the extra argument of thunks.
 */

/** The part of the session that API calls read, in the state's `session`. */
export interface ApiSession {
  token: string | null;
  user: { id: number } | null;
  locked: boolean;
  /** The server has not confirmed the lock yet. */
  lockOwed: boolean;
}

export const isSamePerson = (one: ApiSession, other: ApiSession) =>
  one.user !== null && one.user.id === other.user?.id;

/** An API request: path and query parameters. */
export interface ApiRequest {
  path: string;
  params: Record<string, unknown>;
}

/**
 * The user for whom a response is stored.
 *
 * Stored sheets are only for this user and are deleted with the session.
 */
export interface Viewer {
  userId: number;
  /** In milliseconds; null if the token does not say. */
  tokenEnds: number | null;
}

/** The responses that this device stores. */
export interface OfflineStore {
  readOffline: (request: ApiRequest, userId: number) => Promise<unknown>;
  storeResponse: (
    request: ApiRequest,
    response: unknown,
    viewer: Viewer,
    isStill: () => boolean,
  ) => Promise<unknown>;
}

export interface ApiDependencies {
  /** Return the token on this device, which another tab may have replaced. */
  storedToken: () => string | null;
  /** Create the action that continues in the session on this device. */
  sessionChangedElsewhere: () => UnknownAction;
  /** Create the action that ends the session. */
  sessionExpired: () => UnknownAction;
  /** Create the action that locks the screen, because the server has locked the session. */
  lockedByServer: () => UnknownAction;
  /** Create the action that notes that the server has locked the session of the token. */
  lockConfirmed: (token: string) => UnknownAction;
  isOfflineEnabled: () => boolean;
  loadOfflineStore: () => Promise<OfflineStore>;
}
