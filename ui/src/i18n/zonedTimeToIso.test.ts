import { expect, test } from 'vitest';
import { clockOf } from './hospitalClock';
import { zonedTimeToIso } from './zonedTimeToIso';

test.each([
  ['America/Mexico_City', '2026-11-20T10:15', '2026-11-20T16:15:00.000Z'],
  ['UTC', '2026-11-20T10:15', '2026-11-20T10:15:00.000Z'],
  // Before and after the start of daylight saving time.
  ['Europe/Madrid', '2026-03-29T01:30', '2026-03-29T00:30:00.000Z'],
  ['Europe/Madrid', '2026-03-29T03:30', '2026-03-29T01:30:00.000Z'],
])('in %s clocks show %s at %s', (zone, shown, moment) => {
  expect(zonedTimeToIso(clockOf(zone), shown)).toBe(moment);
});
