import { useEffect } from 'react';
import { isOfflineEnabled } from '@/device/isOfflineEnabled';
import { useAppDispatch } from '@/storeHooks';

/** By then the page is there, and all that it asked for is answered. */
const DELAY_MS = 10_000;

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Refresh this device's copies of the catalogue and of an area's open sheets; not where the browser saves data. */
export function useDeviceCopies(areaId: number | undefined) {
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (areaId === undefined || savesData()) return;
    const timer = window.setTimeout(async () => {
      if (!isOfflineEnabled()) return;
      try {
        const { refreshCopies } = await import('./deviceCopies');
        await refreshCopies(dispatch, areaId);
      } catch {} // this browser keeps nothing, or the network is away: another time
    }, DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [dispatch, areaId]);
}
