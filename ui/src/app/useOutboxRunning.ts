import { useEffect } from 'react';
import { runOutbox } from '@/outbox/running';
import { useAppStore } from '@/storeHooks';

/** As long as somebody is signed in, what lies on this device is sent, whichever page is shown. */
export function useOutboxRunning() {
  const store = useAppStore();
  useEffect(() => runOutbox(store), [store]);
}
