import { useEffect } from 'react';
import { generatedApi } from '@/api/generated';
import { useSession } from '@/session/session';
import { useAppDispatch } from '@/state/storeHooks';

/** Interval of the tries while the server does not answer, in milliseconds. */
const RETRY_MS = 5_000;

/** Have the server lock the session of a locked screen, as soon as it answers. */
export function useConfirmedLock() {
  const dispatch = useAppDispatch();
  const { token, lockOwed } = useSession();
  useEffect(() => {
    if (!token || !lockOwed) return;
    const lock = () => void dispatch(generatedApi.endpoints.lockSession.initiate());
    lock();
    const timer = window.setInterval(lock, RETRY_MS);
    window.addEventListener('online', lock);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('online', lock);
    };
  }, [dispatch, token, lockOwed]);
}
