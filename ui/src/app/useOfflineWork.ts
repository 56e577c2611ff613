import { useEffect } from 'react';
import { useReadSettingsQuery } from '@/api/generated';
import type { OutboxState } from '@/outbox/outboxSlice';
import { useSession } from '@/session/session';
import { useAppStore } from '@/storeHooks';

/** So long after the start all that the first page needs is there. */
const LATER = 5_000;

let followed: boolean | undefined;

/** Whether this device works without network is the hospital's to say. */
export function useOfflineWork() {
  const store = useAppStore();
  const { token } = useSession();
  const settings = useReadSettingsQuery(undefined, { skip: !token });
  const offline = settings.data?.offline;

  useEffect(() => {
    if (offline === undefined || import.meta.env.DEV) return;
    const timer = window.setTimeout(() => follow(offline, store.getState).catch(() => {}), LATER);
    return () => window.clearTimeout(timer);
  }, [offline, store]);
}

/** Where the browser keeps nothing, as in some private windows, one works with the network alone. */
async function follow(offline: boolean, getState: () => { outbox: OutboxState }) {
  if (offline === followed) return;
  followed = offline;
  const { registerServiceWorker, disableOfflineMode } = await import('./serviceWorker');
  await (offline ? registerServiceWorker(getState) : disableOfflineMode());
}
