import { deviceStorage } from '@/state/storage';

/** How this device's scanner sends a code, as the test page found out. */
export interface ScannerProfile {
  /** The characters before each code: `aim` for a symbology identifier such as `]d2`; absent if unknown. */
  prefix?: string | null;
  /** The key after each code; null for none, absent if unknown. */
  end?: 'Enter' | 'Tab' | null;
}

const KEY = 'scanner';

export const storedProfile = (): ScannerProfile => deviceStorage.readJson<ScannerProfile>(KEY) ?? {};

/** Keep the profile for this device; null forgets it. */
export function storeProfile(profile: ScannerProfile | null) {
  if (profile) deviceStorage.setItem(KEY, JSON.stringify(profile));
  else deviceStorage.removeItem(KEY);
}
