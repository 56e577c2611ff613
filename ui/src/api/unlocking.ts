const waiting = new Set<() => void>();

/** Wait until the session is unlocked or replaced. */
export const untilUnlocked = () => new Promise<void>((resolve) => waiting.add(resolve));

/** Continue the calls that wait for the unlocking. */
export function releaseWaiting() {
  for (const goOn of waiting) goOn();
  waiting.clear();
}

/** The call that locks the session, while it runs. */
let locking: Promise<unknown> | null = null;

/** Lock the session, or wait for the call that does. */
export function lockOnce<Answer>(lock: () => Promise<Answer>): Promise<Answer> {
  const running = locking ?? lock();
  locking = running;
  const end = () => {
    if (locking === running) locking = null;
  };
  running.then(end, end);
  return running as Promise<Answer>;
}

/** Reset the state for tests. */
export function resetUnlocking() {
  waiting.clear();
  locking = null;
}
