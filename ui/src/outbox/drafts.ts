import type { OutboxEntry } from '@/device/outboxEntry';
import { tabStorage } from '@/state/storage';
import type { Drafts } from './outboxSlice';

/*
 * Drafts of a sheet: input that is not yet entered.
 *
 * They survive a reload and the end of the session in this tab, for the same user and sheet. Entries themselves are
 * stored on the device.
 */

const place = (userId: number, sheetId: number) => `unrecorded ${userId} ${sheetId}`;

const nothing: Drafts = { rows: [], begun: null };

export const recallDrafts = (userId: number, sheetId: number): Drafts => ({
  ...nothing,
  ...tabStorage.readJson<Drafts>(place(userId, sheetId)),
});

/** Return the ids of the sheets on which this tab keeps drafts of the user. */
export function sheetsWithDrafts(userId: number): number[] {
  const beginning = place(userId, 0).slice(0, -1);
  return tabStorage
    .keys()
    .filter((key) => key.startsWith(beginning))
    .map((key) => Number(key.slice(beginning.length)))
    .filter((sheetId) => sheetId > 0)
    .sort((one, other) => one - other);
}

/** Remove the stored rows whose entries are on the device: they are recorded. */
export function dropRecordedRows(userId: number, entries: Pick<OutboxEntry, 'key'>[]) {
  for (const sheetId of sheetsWithDrafts(userId)) {
    const drafts = recallDrafts(userId, sheetId);
    const rows = drafts.rows.filter((row) => !entries.some(({ key }) => key === row.key));
    if (rows.length < drafts.rows.length) storeDrafts(userId, sheetId, { ...drafts, rows });
  }
}

/** Store drafts without prices. */
export function storeDrafts(userId: number, sheetId: number, drafts: Drafts) {
  if (drafts.rows.length === 0 && !drafts.begun) return tabStorage.removeItem(place(userId, sheetId));
  const withoutPrices = (key: string, value: unknown) =>
    key === 'price' || key === 'category' ? undefined : value;
  tabStorage.setItem(place(userId, sheetId), JSON.stringify(drafts, withoutPrices));
}
