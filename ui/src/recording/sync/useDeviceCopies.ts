import { useEffect } from 'react';
import { isOfflineEnabled } from '@/device/isOfflineEnabled';
import { useAppDispatch } from '@/state/storeHooks';

/** By then, the page has loaded, and its requests are answered. */
const DELAY_MS = 10_000;

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * Refresh the device's catalogue and an area's open sheets.
 *
 * Nothing is fetched if the browser saves data.
 */
export function useDeviceCopies(areaId: number | undefined) {
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (areaId === undefined || savesData()) return;
    const timer = window.setTimeout(async () => {
      if (!isOfflineEnabled()) return;
      try {
        const { refreshCopies } = await import('./deviceCopies');
        await refreshCopies(dispatch, areaId);
      } catch {} // no storage or no network: the next visit tries again
    }, DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [dispatch, areaId]);
}
