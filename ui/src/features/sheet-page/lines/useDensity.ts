import { useCallback, useState } from 'react';

export type Density = 'compact' | 'comfortable';

const KEY = 'rows';

/** Return and set the row density, which is stored on this device. */
export function useDensity() {
  const [density, setDensity] = useState<Density>(
    localStorage.getItem(KEY) === 'comfortable' ? 'comfortable' : 'compact',
  );
  const choose = useCallback((next: Density) => {
    if (next === 'compact') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
    setDensity(next);
  }, []);
  return [density, choose] as const;
}
