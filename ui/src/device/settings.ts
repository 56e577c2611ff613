const KEY = 'settings';

/**
 * Return the last known settings of the hospital.
 *
 * Offline, its time zone would otherwise be unknown.
 */
export function storedSettings(): unknown {
  const stored = localStorage.getItem(KEY);
  return stored === null ? null : JSON.parse(stored);
}

export const storeSettings = (settings: unknown) => localStorage.setItem(KEY, JSON.stringify(settings));
