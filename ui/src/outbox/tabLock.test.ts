import { afterEach, expect, it, vi } from 'vitest';
import { LEASE_MS, withTabLock } from './tabLock';

/** Fake `navigator.locks`. */
function giveLocks() {
  let isHeld = false;
  const request = async (_: string, __: object, work: (lock: object | null) => Promise<boolean>) => {
    if (isHeld) return work(null);
    isHeld = true;
    try {
      return await work({});
    } finally {
      isHeld = false;
    }
  };
  vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: { request } } }));
}
afterEach(() => vi.unstubAllGlobals());

it.each([
  ['by the browser', giveLocks],
  ['by a lease where it knows no locks', () => {}],
])('runs in one tab only, %s', async (_, prepare) => {
  prepare();
  let done = () => {};
  const first = withTabLock(
    () =>
      new Promise((resolve) => {
        done = resolve;
      }),
  );
  const second = vi.fn(async () => {});
  expect(await withTabLock(second)).toBe(false);
  expect(second).not.toHaveBeenCalled();
  done();
  expect(await first).toBe(true);
  expect(await withTabLock(second)).toBe(true);
  await expect(withTabLock(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await withTabLock(second)).toBe(true);
});

it.each([
  ['that ran out', -1, true],
  ['that lasts', LEASE_MS - 1000, false],
  ['of a clock that was put back', LEASE_MS + 60_000, true],
])('handles a lease %s', async (_, left, isTaken) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  localStorage.setItem('consumo-outbox', `gone ${Date.now() + left}`);
  expect(await withTabLock(async () => {})).toBe(isTaken);
});

it('renews the lease while the work runs', async () => {
  vi.useFakeTimers();
  let done = () => {};
  const first = withTabLock(
    () =>
      new Promise((resolve) => {
        done = resolve;
      }),
  );
  vi.advanceTimersByTime(3 * LEASE_MS);
  expect(await withTabLock(async () => {})).toBe(false);
  done();
  await first;
  vi.useRealTimers();
  expect(localStorage.getItem('consumo-outbox')).toBeNull();
});
