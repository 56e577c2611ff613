import { generatedApi } from '@/api/generated';
import { api } from '@/api/tags';
import { refreshCatalogue } from '@/device/catalogue';
import type { useAppDispatch } from '@/state/storeHooks';

const REFRESH_MS = 30 * 60_000;
const SHEETS = 100;

const fetchedAt = new Map<number, number>();

/**
 * Refresh the device's catalogue, an area's open sheets and its own page.
 *
 * Without network, the sheet of the next bed opens too. The sheets are stored as every list of open sheets is.
 */
export async function refreshCopies(dispatch: ReturnType<typeof useAppDispatch>, areaId: number) {
  await refreshCatalogue(async (known) => {
    const arg = { 'If-None-Match': known === undefined ? undefined : `"${known}"` };
    return (await dispatch(api.endpoints.readCatalogue.initiate(arg, { track: false }))).data;
  });
  if (Date.now() - (fetchedAt.get(areaId) ?? 0) < REFRESH_MS) return;
  fetchedAt.set(areaId, Date.now());
  const { listAreaSheets, listSheets, listUsualProducts, readAreaSheet } = generatedApi.endpoints;
  const once = { subscribe: false };
  await dispatch(listSheets.initiate({ areaId, limit: SHEETS }, once));
  const [page] = (await dispatch(listAreaSheets.initiate({ areaId }, once))).data?.items ?? [];
  if (!page) return;
  await dispatch(readAreaSheet.initiate({ sheetId: page.id }, once));
  await dispatch(listUsualProducts.initiate({ sheetId: page.id }, once));
}
