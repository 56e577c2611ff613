import { generatedApi } from '@/api/generated';
import type { AppThunk } from '@/state/storeHooks';
import { type ParkedPerson, personOf } from './parkedPeople';
import { personCalls } from './personCalls';
import { saveLastPath } from './savedWork';
import { parked, type Session, signedOut } from './session';

/** Return the current user as a person who may be parked, or null. */
export const currentPerson = ({ token, user, isBound }: Session): ParkedPerson | null =>
  token && user ? personOf(user, token, isBound) : null;

export const endSession = ({ token }: ParkedPerson) => personCalls.endpoints.signOutFor.initiate({ token });

/**
 * Leave the locked screen to other people.
 *
 * The session stays on this device, locked, if the hospital allows it, and ends otherwise. Returns false if the server
 * does not answer: an unconfirmed lock protects nothing. `onLeft` runs before the page renders again.
 */
export const leaveScreen =
  (path: string, onLeft: () => void): AppThunk<boolean> =>
  async (dispatch, getState) => {
    const { session } = getState();
    const person = currentPerson(session);
    if (!person) return true;
    const mayStay = session.user?.quick_unlock === true;
    // The lock may still be on its way to the server.
    if (mayStay && session.lockOwed) await dispatch(generatedApi.endpoints.lockSession.initiate());
    if (mayStay && getState().session.lockOwed) return false;
    saveLastPath(person.userId, path);
    dispatch(mayStay ? parked() : signedOut());
    onLeft();
    await dispatch(endDropped(session, person));
    return true;
  };

/** End the sessions that this device no longer keeps: of who had no room, or may not be parked. */
export const endDropped =
  (before: Session, former: ParkedPerson, next?: ParkedPerson): AppThunk<void> =>
  async (dispatch, getState) => {
    const { token, parked: kept } = getState().session;
    const tokens = new Set([token, next?.token, ...kept.map((one) => one.token)]);
    const dropped = [...before.parked, former].filter(
      (one) => !tokens.has(one.token) && one.userId !== next?.userId,
    );
    for (const one of dropped) await dispatch(endSession(one));
  };
