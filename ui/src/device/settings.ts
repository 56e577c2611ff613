import { deviceStorage } from '@/state/storage';

const KEY = 'settings';

/**
 * Return the last known settings of the hospital.
 *
 * Offline, its time zone would otherwise be unknown.
 */
export const storedSettings = (): unknown => deviceStorage.readJson(KEY) ?? null;

export const storeSettings = (settings: unknown) => deviceStorage.setItem(KEY, JSON.stringify(settings));
