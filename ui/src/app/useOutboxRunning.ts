import { useEffect } from 'react';
import { useStore } from 'react-redux';
import type { OutboxRoot } from '@/outbox/entering';

/** As long as somebody is signed in, what lies on this device is sent, whichever page is shown. */
export function useOutboxRunning() {
  const store = useStore<OutboxRoot>();
  useEffect(() => {
    let end = () => {};
    let isOver = false;
    import('@/outbox/running')
      .then(({ runOutbox }) => {
        if (!isOver) end = runOutbox(store);
      })
      .catch(() => {}); // the page that enters something has it, too
    return () => {
      isOver = true;
      end();
    };
  }, [store]);
}
