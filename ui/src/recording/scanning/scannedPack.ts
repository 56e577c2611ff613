import type { ReadingView } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import type { ScanNote } from '@/outbox/outboxSlice';
import { hasPackData, NO_PACK, type Pack } from '@/symbols/pack';
import type { Match, Remark, Scan } from './recorderState';

export const packOf = (reading: ReadingView | null): Pack =>
  reading ? { lot: reading.lot, expiry: reading.expiry, serial: reading.serial } : NO_PACK;

/**
 * Return the quantity of one symbol.
 *
 * It is null if a person must say it, as for a box of several.
 */
export const quantityOf = ({ units }: Pick<Match, 'units'>, { reading }: Scan): Decimal =>
  units === 1 && reading?.count == null ? 1 : null;

/** Return what a person should know of a symbol that cannot be read wholly. */
export function remarkOf({ reading }: Scan): Remark | null {
  if (reading?.expiry_unreadable) return 'expiryUnreadable';
  return reading?.incomplete ? 'incomplete' : null;
}

/** Return what a line keeps of its symbol; a question about an earlier one stays. */
export function noteOf(
  match: Pick<Match, 'units' | 'label'> | null,
  { raw, reading, told }: Scan,
  before: ScanNote | null,
): ScanNote {
  const units = (match?.units ?? 1) * (reading?.count ?? 1);
  const isMixed = reading?.separator_lost === true && hasPackData({ ...packOf(reading), expiry: null });
  return {
    raw,
    units: units === 1 ? null : units,
    label: match?.label ?? null,
    unconfirmed: (before?.unconfirmed ?? false) || isMixed,
    recalled: told.recalled ?? before?.recalled ?? null,
    serialUsed: told.serialUsed ?? before?.serialUsed ?? null,
  };
}

/** Replace the control characters of a code. */
export const printable = (raw: string) => raw.replace(/[^ -~\u00a0-\uffff]+/g, ' ').trim();
