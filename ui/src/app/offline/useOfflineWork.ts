import { useEffect } from 'react';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import type { OutboxState } from '@/outbox/outboxSlice';
import { useSession } from '@/session/session';
import { useAppStore } from '@/state/storeHooks';

/** Delay in milliseconds after which the first page has loaded everything it needs. */
const LATER = 5_000;

let followed: boolean | undefined;

/** Enable or disable offline work, according to the hospital's setting. */
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

/**
 * Follow the setting.
 *
 * Rejects in a browser without storage, such as some private windows, which then only works online.
 */
async function follow(offline: boolean, getState: () => { outbox: OutboxState }) {
  if (offline === followed) return;
  followed = offline;
  const { registerServiceWorker, disableOfflineMode } = await import('./serviceWorker');
  await (offline ? registerServiceWorker(getState) : disableOfflineMode());
}
