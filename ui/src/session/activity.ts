const KEY = 'active';

/** When a key or the screen was touched last in any tab of this browser; now, while that is not known. */
export function lastActive() {
  const at = Number(localStorage.getItem(KEY));
  const now = Date.now();
  // A clock that was put back must not keep the screen open until it has caught up.
  if (at > 0 && at <= now) return at;
  localStorage.setItem(KEY, String(now));
  return now;
}

export const markActive = () => localStorage.setItem(KEY, String(Date.now()));
