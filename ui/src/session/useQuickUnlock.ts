import { useEffect } from 'react';
import { useAppDispatch } from '@/state/storeHooks';
import { useSession } from './session';

/** Prepare the current session for unlocking by PIN, and end a parked one of the same person. */
export function useQuickUnlock() {
  const dispatch = useAppDispatch();
  const { token, user, verified, locked, isBound, parked } = useSession();
  const isHere = token !== null && verified && !locked;

  const mayBind = isHere && user?.quick_unlock === true && !isBound && window.isSecureContext;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each session is bound on its own
  useEffect(() => {
    if (!mayBind) return;
    import('./unlocking').then(({ bindDevice }) => dispatch(bindDevice())).catch(() => {}); // at the next page
  }, [dispatch, mayBind, token]);

  const former = isHere ? parked.find(({ userId }) => userId === user?.id) : undefined;
  useEffect(() => {
    if (former)
      import('./unlocking').then(({ removePerson }) => dispatch(removePerson(former))).catch(() => {}); // at the next page
  }, [dispatch, former]);
}
