import { deviceStorage } from '@/state/storage';

/* A lock between tabs: only one tab of the browser sends the outbox. */

const NAME = 'consumo-outbox';
/** Lifetime of the lease in milliseconds. A tab that does not renew it may be gone. */
export const LEASE_MS = 10_000;

/** Run the work under the lock. Return false if another tab has it. */
export function withTabLock(work: () => Promise<void>): Promise<boolean> {
  // Web Locks are unavailable on plain http, and refused by a browser that blocks the site's data.
  if (!navigator.locks) return withLease(work);
  let isGranted: boolean | undefined;
  return navigator.locks
    .request(NAME, { ifAvailable: true }, async (lock) => {
      isGranted = lock !== null;
      if (isGranted) await work();
      return isGranted;
    })
    .catch((error) => {
      if (isGranted === undefined) return withLease(work);
      throw error;
    });
}

/**
 * Fallback with a lease in deviceStorage.
 *
 * Two tabs that take it at the same moment may both get it once. Their requests have the same idempotency keys, so
 * entries are still recorded only once.
 */
async function withLease(work: () => Promise<void>) {
  const own = String(Math.random());
  const [holder, until] = (deviceStorage.getItem(NAME) ?? '').split(' ');
  const left = Number(until) - Date.now();
  // A later expiry was written before the clock was set back.
  if (holder && left > 0 && left <= LEASE_MS) return false;
  const invalidate = () => deviceStorage.setItem(NAME, `${own} ${Date.now() + LEASE_MS}`);
  invalidate();
  const timer = window.setInterval(invalidate, LEASE_MS / 3);
  try {
    await work();
    return true;
  } finally {
    window.clearInterval(timer);
    if (deviceStorage.getItem(NAME)?.startsWith(own)) deviceStorage.removeItem(NAME);
  }
}
