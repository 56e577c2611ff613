import { expect, it } from 'vitest';
import { clockOf } from './hospitalClock';
import { zonedTimeToIso } from './zonedTimeToIso';

const UNKNOWN = 'America/Newtown';

it.each([
  ['America/Mexico_City', 0, '2026-11-20T10:15:00'],
  ['UTC', 60, '2026-11-20T16:15:00'],
  [UNKNOWN, -210, '2026-11-20T12:45:00'],
  [UNKNOWN, 765, '2026-11-21T05:00:00'],
])('the clock of %s shows the time', (zone, offset, shown) => {
  const clock = clockOf(zone, offset);
  expect(clock.read('2026-11-20T16:15:00Z')).toBe(shown);
  expect(zonedTimeToIso(clock, shown)).toBe('2026-11-20T16:15:00.000Z');
  expect(clock.isKnown).toBe(zone !== UNKNOWN);
});
