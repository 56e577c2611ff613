import { useCallback, useState } from 'react';

export type Density = 'compact' | 'comfortable';

const KEY = 'rows';

/** How high the rows are, as it was chosen on this device. */
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
