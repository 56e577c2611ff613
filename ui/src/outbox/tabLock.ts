/* A lock between tabs: only one tab of the browser sends the outbox. */

const NAME = 'consumo-outbox';
/** Lifetime of the lease in milliseconds. A tab that does not renew it may be gone. */
export const LEASE_MS = 10_000;

/** Run the work under the lock. Return false if another tab has it. */
export function withTabLock(work: () => Promise<void>): Promise<boolean> {
  // Web Locks are unavailable on plain http.
  if (!navigator.locks) return withLease(work);
  return navigator.locks.request(NAME, { ifAvailable: true }, async (lock) => {
    if (!lock) return false;
    await work();
    return true;
  });
}

/**
 * Fallback with a lease in localStorage.
 *
 * Two tabs that take it at the same moment may both get it once. Their requests have the same idempotency keys, so
 * entries are still recorded only once.
 */
async function withLease(work: () => Promise<void>) {
  const own = String(Math.random());
  const [holder, until] = (localStorage.getItem(NAME) ?? '').split(' ');
  const left = Number(until) - Date.now();
  // A later expiry was written before the clock was set back.
  if (holder && left > 0 && left <= LEASE_MS) return false;
  const invalidate = () => localStorage.setItem(NAME, `${own} ${Date.now() + LEASE_MS}`);
  invalidate();
  const timer = window.setInterval(invalidate, LEASE_MS / 3);
  try {
    await work();
    return true;
  } finally {
    window.clearInterval(timer);
    if (localStorage.getItem(NAME)?.startsWith(own)) localStorage.removeItem(NAME);
  }
}
