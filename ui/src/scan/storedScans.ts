import { recallDrafts, storeDrafts } from '@/outbox/drafts';
import { newEntry } from './newEntry';
import type { Entry } from './queue';

/** An entry of the queue as it is stored with the drafts of its sheet. */
export interface StoredScan {
  kind: 'looking';
  key: string;
  raw: string | null;
  times: Entry['times'];
  by: unknown;
  /** See `Entry`; an earlier version has not stored these. */
  visit?: string;
  isMoved?: boolean;
}

export const isStoredScan = (row: object): row is StoredScan => 'kind' in row && row.kind === 'looking';

export const toStored = ({ key, code, times, context, visit, isMoved }: Entry): StoredScan => ({
  kind: 'looking',
  key,
  raw: code,
  times,
  by: context,
  visit,
  isMoved,
});

/** Restore an entry. A person decides about it. */
export const fromStored = (
  { key, raw, times, by, visit = '', isMoved = false }: StoredScan,
  sheetId: number | null,
): Entry => newEntry({ key, sheetId, code: raw, times, context: by, visit, isOld: true, isMoved });

/** The place of scans without a sheet. */
export const NO_SHEET = 0;

/** Return the scans that wait for a sheet, as they were stored. */
export const recallScans = (userId: number, sheetId: number) =>
  recallDrafts(userId, sheetId).rows.filter(isStoredScan);

/** Put entries in place of the stored scans with the keys, beside other rows. */
export const withScans = <Stored extends object>(
  rows: Stored[],
  entries: Entry[],
  keys: ReadonlySet<string>,
) => [...rows.filter((row) => !(isStoredScan(row) && keys.has(row.key))), ...entries.map(toStored)];

/** Store the scans that wait for a sheet which is not open. */
export function storeScans(userId: number, sheetId: number, entries: Entry[], keys: ReadonlySet<string>) {
  const drafts = recallDrafts(userId, sheetId);
  storeDrafts(userId, sheetId, { ...drafts, rows: withScans(drafts.rows, entries, keys) });
}
