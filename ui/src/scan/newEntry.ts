import { newIdempotencyKey } from '@/api/idempotencyKey';
import { serverNow } from '@/api/serverClock';
import type { Entry } from './queue';

/** Return an entry that has just ended. */
export const newEntry = (part: Partial<Entry>): Entry => ({
  key: newIdempotencyKey(),
  sheetId: null,
  code: null,
  at: serverNow().toISOString(),
  context: null,
  answer: null,
  isFailed: false,
  visit: '',
  isOld: false,
  isMoved: false,
  doubt: null,
  ...part,
});
