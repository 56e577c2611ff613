const waiting = new Set<() => void>();

/** Wait until the session is unlocked or replaced. */
export const untilUnlocked = () => new Promise<void>((resolve) => waiting.add(resolve));

/** Continue the calls that wait for the unlocking. */
export function releaseWaiting() {
  for (const goOn of waiting) goOn();
  waiting.clear();
}

/** The call of each store that locks the session, while it runs. */
const locking = new WeakMap<object, Promise<unknown>>();

/** Lock the session of a store, or wait for the call that does. */
export function lockOnce<Answer>(store: object, lock: () => Promise<Answer>): Promise<Answer> {
  const running = locking.get(store) ?? lock();
  locking.set(store, running);
  const end = () => locking.delete(store);
  running.then(end, end);
  return running as Promise<Answer>;
}

/** Reset the state for tests. */
export function resetUnlocking() {
  waiting.clear();
}
