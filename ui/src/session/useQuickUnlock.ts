import { useEffect } from 'react';
import { canSign } from '@/device/keys';
import { useAppDispatch } from '@/storeHooks';
import { removePerson } from './leaving';
import { useSession } from './session';

/** Prepare the current session for unlocking by PIN, and end a parked one of the same person. */
export function useQuickUnlock() {
  const dispatch = useAppDispatch();
  const { token, user, verified, locked, isBound, parked } = useSession();
  const isHere = token !== null && verified && !locked;

  const mayBind = isHere && user?.quick_unlock === true && !isBound && canSign();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each session is bound on its own
  useEffect(() => {
    if (!mayBind) return;
    import('./bindDevice').then(({ bindDevice }) => dispatch(bindDevice())).catch(() => {}); // at the next page
  }, [dispatch, mayBind, token]);

  const former = isHere ? parked.find(({ userId }) => userId === user?.id) : undefined;
  useEffect(() => {
    if (former) dispatch(removePerson(former));
  }, [dispatch, former]);
}
