import { recallDrafts, storeDrafts } from '@/outbox/drafts';
import type { Entry } from './queue';

/** An entry of the queue as it is stored with the drafts of its sheet. */
export interface StoredScan {
  kind: 'looking';
  key: string;
  raw: string | null;
  times: Entry['times'];
  by: unknown;
}

export const isStoredScan = (row: object): row is StoredScan => 'kind' in row && row.kind === 'looking';

export const toStored = ({ key, code, times, context }: Entry): StoredScan => ({
  kind: 'looking',
  key,
  raw: code,
  times,
  by: context,
});

/** Restore an entry. A person decides about it. */
export const fromStored = (
  { key, raw, times, by }: StoredScan,
  sheetId: number | null,
  at: string,
): Entry => ({
  key,
  sheetId,
  code: raw,
  times,
  at,
  context: by,
  answer: null,
  isFailed: false,
  isOld: true,
  isMoved: false,
  doubt: null,
});

/** The place of scans without a sheet. */
export const NO_SHEET = 0;

/** Return the scans that wait for a sheet, as they were stored. */
export const recallScans = (userId: number, sheetId: number) =>
  recallDrafts(userId, sheetId).rows.filter(isStoredScan);

/** Store the scans that wait for a sheet which is not open, in place of those with the keys, beside its other drafts. */
export function storeScans(userId: number, sheetId: number, entries: Entry[], keys: ReadonlySet<string>) {
  const drafts = recallDrafts(userId, sheetId);
  const others = drafts.rows.filter((row) => !(isStoredScan(row) && keys.has(row.key)));
  storeDrafts(userId, sheetId, { ...drafts, rows: [...others, ...entries.map(toStored)] });
}
