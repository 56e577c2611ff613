import { useEffect } from 'react';
import { useStore } from 'react-redux';
import type { OutboxRoot } from '@/outbox/entering';
import { runOutbox } from '@/outbox/running';

/** As long as somebody is signed in, what lies on this device is sent, whichever page is shown. */
export function useOutboxRunning() {
  const store = useStore<OutboxRoot>();
  useEffect(() => runOutbox(store), [store]);
}
