const PLACE = 'offline';

/** Whether the hospital has its devices keep what is needed without network; told by it, and known before it answers. */
export const isOfflineEnabled = () => localStorage.getItem(PLACE) !== 'off';

export function setOfflineEnabled(may: boolean) {
  if (may) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, 'off');
}
