import { deviceStorage } from '@/state/storage';

const KEY = 'active';

/** Return the time of the last input in any tab; now, if unknown. */
export function lastActive() {
  const at = Number(deviceStorage.getItem(KEY));
  const now = Date.now();
  // A clock that was set back must not keep the screen unlocked until it catches up.
  if (at > 0 && at <= now) return at;
  deviceStorage.setItem(KEY, String(now));
  return now;
}

export const markActive = () => deviceStorage.setItem(KEY, String(Date.now()));
