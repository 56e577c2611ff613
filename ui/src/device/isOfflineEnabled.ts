import { deviceStorage } from '@/state/storage';

const PLACE = 'offline';

/**
 * Return whether the hospital allows offline work.
 *
 * This device remembers it from the last settings.
 */
export const isOfflineEnabled = () => deviceStorage.getItem(PLACE) !== 'off';

export function setOfflineEnabled(may: boolean) {
  if (may) deviceStorage.removeItem(PLACE);
  else deviceStorage.setItem(PLACE, 'off');
}
