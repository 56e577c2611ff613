import { useEffect } from 'react';
import { runOutbox } from '@/outbox/running';
import { useAppStore } from '@/state/storeHooks';

/** Send the outbox on every page while a user is signed in. */
export function useOutboxRunning() {
  const store = useAppStore();
  useEffect(() => runOutbox(store), [store]);
}
