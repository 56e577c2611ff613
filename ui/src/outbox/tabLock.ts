/*
 * One tab of this browser sends, whichever has the turn.
 */

const NAME = 'consumo-outbox';
/** For so long a tab that says nothing more has the turn, in milliseconds: it may be gone. */
export const LEASE_MS = 10_000;

/** True once the work is done; false where another tab has the turn. */
export function withTabLock(work: () => Promise<void>): Promise<boolean> {
  // Absent on plain http.
  if (!navigator.locks) return withLease(work);
  return navigator.locks.request(NAME, { ifAvailable: true }, async (lock) => {
    if (!lock) return false;
    await work();
    return true;
  });
}

/**
 * Two tabs that take it in the same moment may both have it for that once: what they send has the same keys, and is
 * recorded once all the same.
 */
async function withLease(work: () => Promise<void>) {
  const own = String(Math.random());
  const [holder, until] = (localStorage.getItem(NAME) ?? '').split(' ');
  const left = Number(until) - Date.now();
  // One of later than that is of a clock that was put back.
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
