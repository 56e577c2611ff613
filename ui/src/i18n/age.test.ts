import { expect, it } from 'vitest';
import { ageAt } from './age';

it.each([
  ['2026-11-21', '2026-11-21', 0, 'day'],
  ['2026-11-21', '2026-10-22', 30, 'day'],
  ['2026-11-21', '2026-10-21', 1, 'month'],
  ['2026-03-01', '2026-01-31', 1, 'month'],
  ['2026-11-20', '2024-11-21', 23, 'month'],
  ['2026-11-21', '2024-11-21', 2, 'year'],
  ['2026-02-28', '1984-02-29', 41, 'year'],
  ['2026-03-01', '1984-02-29', 42, 'year'],
])('on %s, who was born on %s is %i (%s) old', (day, born, value, unit) => {
  expect(ageAt(day, born)).toEqual({ value, unit });
});

it('knows no age before the birth', () => {
  expect(ageAt('2026-11-21', '2026-11-22')).toBeNull();
});
