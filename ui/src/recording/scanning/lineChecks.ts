import type { DetailValues } from '@/outbox/outboxSlice';
import { isValidQuantity } from '@/topics/sheets/lines/quantity';
import { IMPLANT_INCOMPLETE } from '@/topics/sheets/lines/questions';
import { isStoring, type LineRow, type RecorderState, type Row } from './recorderState';

/**
 * Return the open questions about a line.
 *
 * The server checks again when the line is recorded.
 */
export function getQuestions(values: DetailValues, today: string): string[] {
  const { product, scanned, expiry, lot, serial, asked, use_reason } = values;
  const codes = new Set<string>();
  if (expiry && expiry < today && use_reason !== 'expired') codes.add('lot.expired');
  if (scanned?.recalled) codes.add('lot.recalled');
  if (scanned?.serialUsed && serial) codes.add('serial.used');
  if (product?.implant) {
    // Nothing that an area uses stays in a patient.
    if (use_reason === undefined && (!lot || !serial)) codes.add(IMPLANT_INCOMPLETE);
  } else {
    if (product?.asks_lot && !lot) codes.add('lot.required');
    if (product?.asks_serial && !serial) codes.add('serial.required');
  }
  for (const { code } of asked) codes.add(code);
  return [...codes].filter((code) => !values.acknowledged.includes(code));
}

/** Return the required parts of the pack that are missing. */
export function missingParts({ lot, serial }: DetailValues, questions: string[]): ('lot' | 'serial')[] {
  const isImplant = questions.includes(IMPLANT_INCOMPLETE);
  const parts: ('lot' | 'serial')[] = [];
  if (questions.includes('lot.required') || (isImplant && !lot)) parts.push('lot');
  if (questions.includes('serial.required') || (isImplant && !serial)) parts.push('serial');
  return parts;
}

/** Return the id of the recall that the line's questions are about. */
export const recallOf = ({ scanned, asked }: DetailValues): number | undefined =>
  scanned?.recalled?.id ?? asked.find(({ recallId }) => recallId)?.recallId;

/** Return whether the line can be recorded without a person's decision. */
export const isClear = (row: LineRow, today: string) => canBeRecorded(row.values) && isAnswered(row, today);

/** Return the same, whether or not it is known what an area uses it for. */
export const isAnswered = ({ values, isAssumed }: LineRow, today: string) =>
  !isAssumed &&
  canBeRecorded({ ...values, use_reason: undefined }) &&
  (values.quantity !== 0 || !values.scanned) &&
  getQuestions(values, today).length === 0;

/**
 * Return whether the line is complete and valid.
 *
 * Open questions are ignored.
 */
export const canBeRecorded = ({ quantity, serial, scanned, product, use_reason }: DetailValues) =>
  product !== null &&
  isValidQuantity(quantity) &&
  (!serial || quantity === 1) &&
  !scanned?.unconfirmed &&
  use_reason !== '';

export const freshLine = ({ rows }: RecorderState) =>
  rows.find((row): row is LineRow => row.kind === 'line' && row.isFresh && !row.isStoring);

/** Return the rows that wait for a person and are not recorded automatically. */
export function openRows(state: RecorderState, today: string): Row[] {
  const fresh = freshLine(state);
  return state.rows.filter((row) => !isStoring(row) && (row !== fresh || !isClear(fresh, today)));
}
