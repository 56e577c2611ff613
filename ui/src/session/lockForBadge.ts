import type { AppThunk } from '@/state/storeHooks';
import { currentPerson } from './leaving';
import { locked } from './session';

/**
 * Lock the screen for the person whose badge was scanned on a page.
 *
 * Return false if the scan is no badge of a person with a session on this device.
 */
export const lockForBadge =
  (scan: string): AppThunk<boolean> =>
  async (dispatch, getState) => {
    const { session, outbox } = getState();
    const person = currentPerson(session);
    if (!person?.isBound || !session.user?.quick_unlock || outbox.unreachableSince !== null) return false;
    const unlocking = await import('./unlocking').catch(() => null); // not loaded: the scan stays unknown
    const userId = unlocking && (await dispatch(unlocking.findBadge(scan, [person])));
    if (userId === null || getState().session.token !== person.token) return false;
    dispatch(locked(userId));
    return true;
  };
