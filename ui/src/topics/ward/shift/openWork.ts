import { recallDrafts, sheetsWithDrafts } from '@/outbox/drafts';
import { isUnsent, isWaiting, type OpenRow, type OutboxLine } from '@/outbox/outboxSlice';

/** What this device still has of one sheet. */
export interface OpenWork {
  sheetId: number;
  /** Lines that will be sent. */
  unsent: number;
  /** Lines that the server refused or asked about. */
  refused: number;
  /** Lines that were begun. */
  unfinished: number;
  /** Scanned codes whose product is not chosen yet. */
  codes: number;
}

/** The rows are those of the sheet page, which tells their kinds. */
const isCode = (row: OpenRow) =>
  ['unknown', 'looking', 'choice', 'inactive'].includes((row as { kind?: string }).kind ?? '');

/** Return what is open on this device, by sheet. */
export function openWorkOf(userId: number, lines: OutboxLine[]): OpenWork[] {
  const found = new Map<number, OpenWork>();
  const of = (sheetId: number) => {
    const known = found.get(sheetId) ?? { sheetId, unsent: 0, refused: 0, unfinished: 0, codes: 0 };
    found.set(sheetId, known);
    return known;
  };
  for (const line of lines.filter(isUnsent))
    of(line.sheetId)[isWaiting(line) ? 'unsent' : 'refused'] += line.items.length;
  for (const sheetId of sheetsWithDrafts(userId)) {
    const { rows, begun } = recallDrafts(userId, sheetId);
    const codes = rows.filter(isCode).length;
    of(sheetId).codes += codes;
    of(sheetId).unfinished += rows.length - codes + (begun ? 1 : 0);
  }
  return [...found.values()];
}
