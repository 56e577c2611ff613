const waiting = new Set<() => void>();

/** Wait until the session is unlocked or replaced. */
export const untilUnlocked = () => new Promise<void>((resolve) => waiting.add(resolve));

/** Continue the calls that wait for the unlocking. */
export function releaseWaiting() {
  for (const goOn of waiting) goOn();
  waiting.clear();
}

/** Reset the state for tests. */
export const resetUnlocking = () => waiting.clear();
