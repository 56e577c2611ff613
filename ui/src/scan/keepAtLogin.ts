import { newIdempotencyKey } from '@/api/idempotencyKey';
import { text } from '@/i18n/messages';
import { toast } from '@/shared/ui/toast';
import type { Field, ScanReader } from '@/symbols/reader';
import { type TextField, writeInto } from './fields';
import { newEntry } from './newEntry';
import { NO_SHEET, storeScans } from './storedScans';

/** The user whose session ended while scanning. */
interface Former {
  userId: number;
  sheetId: number | null;
}

let stop = () => {};

/** Stop keeping scans: a user has signed in. */
export const stopKeeping = () => stop();

/**
 * Keep what is scanned on the login page after a session has ended, instead of typing it into the form.
 *
 * The scans wait for the former user with the drafts of the sheet. The `reader` of the application goes on: a session
 * may end in the middle of a scan. `nameOf` names a product's code.
 */
export function keepAtLogin(
  { userId, sheetId }: Former,
  reader: ScanReader,
  nameOf: (code: string) => string,
) {
  stop();
  const visit = newIdempotencyKey();
  const onKey = (event: KeyboardEvent) => {
    const { target, key } = event;
    const isSecret = target instanceof HTMLInputElement && target.type === 'password';
    if (isSecret || event.isComposing) return reader.clear();
    const input = target instanceof HTMLInputElement ? target : null;
    const field: Field = { kind: input ? 'text' : 'none', id: target, value: input?.value ?? '' };
    if (key !== 'Enter' && key !== 'Tab') return void reader.press(event, field);
    const verdict = reader.end(field);
    // An address has an @, which no code has.
    if (verdict.is === 'typed' || verdict.code.includes('@')) return;
    event.preventDefault();
    event.stopPropagation();
    if (input) writeInto(input as TextField, verdict.rest);
    const entry = newEntry({ sheetId, visit, code: verdict.code });
    storeScans(userId, sheetId ?? NO_SHEET, [entry], new Set());
    toast.error(text('scan.kept', { code: nameOf(verdict.code) }), { autoClose: false });
  };
  document.addEventListener('keydown', onKey, { capture: true });
  stop = () => {
    document.removeEventListener('keydown', onKey, { capture: true });
    stop = () => {};
  };
}
