import { expect, it } from 'vitest';
import { daysAfter, daysFrom, everyDay, everyMonth } from './period';

it('calculates with days independent of clock changes', () => {
  expect(daysAfter('2026-03-28', 2)).toBe('2026-03-30');
  expect(daysAfter('2026-03-01', -1)).toBe('2026-02-28');
  expect(daysAfter('2028-02-28', 1)).toBe('2028-02-29');
  expect(daysFrom('2026-10-23', '2026-11-21')).toBe(30);
  expect(daysFrom('2026-11-21', '2026-11-21')).toBe(1);
});

it('lists the days and months of a period, none if it is empty', () => {
  expect(everyDay('2026-02-27', '2026-03-02')).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
  expect(everyMonth('2025-11-30', '2026-02-01')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
  expect(everyDay('2026-03-02', '2026-02-27')).toEqual([]);
  expect(everyMonth('2026-03-02', '2026-02-27')).toEqual([]);
});
