const PLACE = 'offline';

/**
 * Return whether the hospital allows offline work.
 *
 * This device remembers it from the last settings.
 */
export const isOfflineEnabled = () => localStorage.getItem(PLACE) !== 'off';

export function setOfflineEnabled(may: boolean) {
  if (may) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, 'off');
}
