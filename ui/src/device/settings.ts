const KEY = 'settings';

/** The hospital's settings as this device saw them last: without them its time zone is unknown. */
export function storedSettings(): unknown {
  const stored = localStorage.getItem(KEY);
  return stored === null ? null : JSON.parse(stored);
}

export const storeSettings = (settings: unknown) => localStorage.setItem(KEY, JSON.stringify(settings));
