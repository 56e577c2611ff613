import { expect, it } from 'vitest';
import { filledIn, isSymbol, isWords, NO_PACK, readRows } from './pack';

it.each([
  ['010952000000001110L1', true],
  ['0109520000000011\x1d21S', true],
  [']C10109520000000011', true],
  [']d2010952000000001110L1', true],
  ['(01)09520000000011(10)L1', true],
  ['10L1{GS}21S', true],
  ['https://id.gs1.org/01/09520000000011/10/L1', true],
  ['9520000000011', true],
  ['MC-0001', false],
  ['102371', false],
  ['gasa estéril', false],
  ['9520000000011 9520000000028', false],
  ['', false],
])('%s can only come off a symbol: %s', (text, expected) => {
  expect(isSymbol(text)).toBe(expected);
});

const pack = (change: Partial<typeof NO_PACK>) => ({ ...NO_PACK, ...change });

it.each([
  [{}, { lot: 'L1' }, { lot: 'L1' }, true, []],
  [{ lot: 'L1' }, { expiry: '2027-01-31' }, { lot: 'L1', expiry: '2027-01-31' }, true, []],
  // What a symbol does not tell stays, and so does what it tells otherwise.
  [{ lot: 'L1', expiry: '2027-01-31' }, { lot: 'l1' }, { lot: 'L1', expiry: '2027-01-31' }, false, []],
  [{ lot: 'L1' }, { lot: 'L2', serial: '9' }, { lot: 'L1', serial: '9' }, true, ['lot']],
])('a line of %o with %o is %o', (line, read, expected, filled, differs) => {
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
  ['MC-1', null],
])('%j is rows of a spreadsheet: %o', (text, expected) => {
  expect(readRows(text)?.map(({ code, quantity }) => [code, quantity]) ?? null).toEqual(expected);
});

it.each([
  ['gasa esteril', true],
  ['jeringa desechable 5 ml', true],
  ['guante', false],
  ['MC-0001', false],
  ['0109520000000011', false],
  ['(01) 09520000000011 (10) L1', false],
])('%s is words, however quickly they come: %s', (raw, expected) => {
  expect(isWords(raw)).toBe(expected);
});
