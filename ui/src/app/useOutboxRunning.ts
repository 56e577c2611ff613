import { useEffect } from 'react';
import { useStore } from 'react-redux';
import { runOutbox } from '@/outbox/running';
import type { OutboxRoot } from '@/outbox/thunks';

/** As long as somebody is signed in, what lies on this device is sent, whichever page is shown. */
export function useOutboxRunning() {
  const store = useStore<OutboxRoot>();
  useEffect(() => runOutbox(store), [store]);
}
