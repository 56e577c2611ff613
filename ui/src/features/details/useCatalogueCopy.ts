import { useEffect } from 'react';
import { api } from '@/api/tags';
import { isOfflineEnabled } from '@/device/isOfflineEnabled';
import { useAppDispatch } from '@/storeHooks';

/** In milliseconds: by then the page is there, and whatever it asked for answered. */
const AFTER = 10_000;

export const savesData = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Keeps this device's copy of the catalogue fresh, for whoever loses the network; not where data are dear. */
export function useCatalogueCopy() {
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (savesData()) return;
    const timer = window.setTimeout(async () => {
      if (!isOfflineEnabled()) return;
      try {
        const { refreshCatalogue } = await import('@/device/catalogue');
        await refreshCatalogue(async (known) => {
          const arg = { 'If-None-Match': known === undefined ? undefined : `"${known}"` };
          return (await dispatch(api.endpoints.readCatalogue.initiate(arg, { track: false }))).data;
        });
      } catch {} // this browser keeps nothing, or the network is away: another time
    }, AFTER);
    return () => window.clearTimeout(timer);
  }, [dispatch]);
}
