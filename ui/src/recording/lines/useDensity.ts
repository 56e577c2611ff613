import { useCallback, useState } from 'react';
import { deviceStorage } from '@/state/storage';

export type Density = 'compact' | 'comfortable';

const KEY = 'rows';

/** Return and set the row density, which is stored on this device. */
export function useDensity() {
  const [density, setDensity] = useState<Density>(
    deviceStorage.getItem(KEY) === 'comfortable' ? 'comfortable' : 'compact',
  );
  const choose = useCallback((next: Density) => {
    if (next === 'compact') deviceStorage.removeItem(KEY);
    else deviceStorage.setItem(KEY, next);
    setDensity(next);
  }, []);
  return [density, choose] as const;
}
