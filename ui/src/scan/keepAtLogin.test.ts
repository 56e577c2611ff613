import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadMessages } from '@/i18n/messages';
import { ScanReader } from '@/symbols/reader';
import { scan } from '@/test/keys';
import { keepAtLogin, stopKeeping } from './keepAtLogin';
import { recallScans } from './storedScans';

const GTIN = '9520000001858';
let field: HTMLInputElement;
let reader: ScanReader;

beforeEach(async () => {
  await loadMessages('es');
  field = document.createElement('input');
  document.body.append(field);
  reader = new ScanReader({ isCode: () => true, isName: () => false });
  keepAtLogin({ userId: 7, sheetId: 3 }, reader, (code) => code);
  field.focus();
});
afterEach(() => {
  stopKeeping();
  field.remove();
});

it('keeps a scan for the former user, and leaves the field as it was', async () => {
  await scan(`010${GTIN}10L1`);
  expect(field).toHaveValue('');
  expect(recallScans(7, 3)).toMatchObject([{ raw: `010${GTIN}10L1` }]);
});

it('leaves an address to the form, and everything after a sign-in', async () => {
  await scan('ana.zamudio1@example.org');
  expect(field).toHaveValue('ana.zamudio1@example.org');
  stopKeeping();
  await scan(GTIN);
  expect(recallScans(7, 3)).toEqual([]);
});

it('keeps a scan whole in the middle of which the session ended', async () => {
  stopKeeping();
  const onPage = (event: KeyboardEvent) => void reader.press(event, { kind: 'none', id: 'page', value: '' });
  document.addEventListener('keydown', onPage);
  await scan(GTIN.slice(0, 5), { suffix: '{Shift}' });
  document.removeEventListener('keydown', onPage);
  keepAtLogin({ userId: 7, sheetId: 3 }, reader, (code) => code);
  field.value = '';
  await scan(GTIN.slice(5), { after: 10 });
  expect(field).toHaveValue('');
  expect(recallScans(7, 3)).toMatchObject([{ raw: GTIN }]);
});
