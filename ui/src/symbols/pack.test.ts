import { expect, it } from 'vitest';
import { filledIn, NO_PACK, readRows } from './pack';

const pack = (change: Partial<typeof NO_PACK>) => ({ ...NO_PACK, ...change });

it.each([
  [{}, { lot: 'L1' }, { lot: 'L1' }, true, []],
  [{ lot: 'L1' }, { expiry: '2027-01-31' }, { lot: 'L1', expiry: '2027-01-31' }, true, []],
  // A field missing in the symbol stays, and so does one that differs.
  [{ lot: 'L1', expiry: '2027-01-31' }, { lot: 'l1' }, { lot: 'L1', expiry: '2027-01-31' }, false, []],
  [{ lot: 'L1' }, { lot: 'L2', serial: '9' }, { lot: 'L1', serial: '9' }, true, ['lot']],
])('fills %o from %o: %o', (line, read, expected, filled, differs) => {
  expect(filledIn(pack(line), pack(read))).toEqual({ pack: pack(expected), filled, differs });
});

it.each([
  [
    'MC-1\t2\r\nMC-2\t0,5\r\n',
    [
      ['MC-1', '2'],
      ['MC-2', '0,5'],
    ],
  ],
  ['MC-1\t3', [['MC-1', '3']]],
  [
    'MC-1\nMC-2',
    [
      ['MC-1', ''],
      ['MC-2', ''],
    ],
  ],
  ['MC-1\tGasa estéril\t2', [['MC-1', 'Gasa estéril', '2']]],
  [
    'MC-1;Gasa;2\nGasa;0,5',
    [
      ['MC-1', 'Gasa', '2'],
      ['Gasa', '0,5'],
    ],
  ],
  // The price, the lot or the quantity: a person says which.
  ['MC-1\t2\t4,50', [['MC-1', null]]],
  ['MC-1;2', null],
  ['MC-1', null],
])('reads %j as spreadsheet rows: %o', (text, expected) => {
  expect(readRows(text)?.map(({ texts, quantity }) => [...texts, quantity]) ?? null).toEqual(expected);
});
