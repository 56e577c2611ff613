import { expect, it } from 'vitest';
import { readDay } from './DateField';

it.each([
  ['21/11/2026', true, '2026-11-21'],
  ['11/21/2026', false, '2026-11-21'],
  ['1-2-1985', true, '1985-02-01'],
  ['01021985', true, '1985-02-01'],
  ['1985-02-01', true, '1985-02-01'],
  ['31/02/2026', true, null],
  ['ayer', true, null],
  ['', true, null],
])('"%s" (day first: %s) is %s', (text, dayFirst, day) => {
  expect(readDay(text, dayFirst)).toBe(day);
});
