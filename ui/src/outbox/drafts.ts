import type { Drafts } from './outboxSlice';

/*
 * What is begun and not entered: it outlives a reload and the end of a session in this tab, for the same person on the
 * same sheet. What was entered lies on the device.
 */

const place = (userId: number, sheetId: number) => `unrecorded ${userId} ${sheetId}`;

const nothing: Drafts = { rows: [], begun: null };

export function recallDrafts(userId: number, sheetId: number): Drafts {
  try {
    return { ...nothing, ...JSON.parse(sessionStorage.getItem(place(userId, sheetId)) ?? '{}') };
  } catch {
    return nothing;
  }
}

/** Prices are not left lying about. */
export function storeDrafts(userId: number, sheetId: number, drafts: Drafts) {
  if (drafts.rows.length === 0 && !drafts.begun) return sessionStorage.removeItem(place(userId, sheetId));
  const withoutPrices = (key: string, value: unknown) =>
    key === 'price' || key === 'category' ? undefined : value;
  sessionStorage.setItem(place(userId, sheetId), JSON.stringify(drafts, withoutPrices));
}
