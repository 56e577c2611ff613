import type { Drafts } from './outboxSlice';

/*
 * What is begun and not entered: it outlives a reload and the end of a session in this tab, for the same person on the
 * same sheet. What was entered lies on the device.
 */

const place = (userId: number, sheetId: number) => `unrecorded ${userId} ${sheetId}`;

const nothing: Drafts = { setAside: [], begun: null, scans: [] };

export function recallDrafts(userId: number, sheetId: number): Drafts {
  try {
    return { ...nothing, ...JSON.parse(sessionStorage.getItem(place(userId, sheetId)) ?? '{}') };
  } catch {
    return nothing;
  }
}

/** Prices are not left lying about. */
export function storeDrafts(userId: number, sheetId: number, drafts: Drafts) {
  const { setAside, begun, scans } = drafts;
  if (setAside.length === 0 && !begun && scans.length === 0)
    return sessionStorage.removeItem(place(userId, sheetId));
  const withoutPrices = (key: string, value: unknown) =>
    key === 'price' || key === 'category' ? undefined : value;
  sessionStorage.setItem(place(userId, sheetId), JSON.stringify(drafts, withoutPrices));
}
