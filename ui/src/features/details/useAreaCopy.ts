import { useEffect } from 'react';
import { generatedApi } from '@/api/generated';
import { isOfflineEnabled } from '@/device/isOfflineEnabled';
import { useAppDispatch } from '@/storeHooks';
import { savesData } from './useCatalogueCopy';

/** After the page and the catalogue's copy, in milliseconds. */
const DELAY_MS = 15_000;
const REFRESH_MS = 30 * 60_000;
const SHEETS = 100;

const fetchedAt = new Map<number, number>();

/**
 * Keep the open sheets of an area on this device, so that without network the next bed's sheet opens too.
 *
 * The answer is stored as every list of open sheets is.
 */
export function useAreaCopy(areaId: number | undefined) {
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (areaId === undefined || savesData()) return;
    const timer = window.setTimeout(() => {
      const isFresh = Date.now() - (fetchedAt.get(areaId) ?? 0) < REFRESH_MS;
      if (isFresh || !isOfflineEnabled()) return;
      fetchedAt.set(areaId, Date.now());
      dispatch(generatedApi.endpoints.listSheets.initiate({ areaId, limit: SHEETS }, { subscribe: false }));
    }, DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [dispatch, areaId]);
}
