import { expect, it } from 'vitest';
import { clockOf } from '@/i18n/hospitalClock';
import { lastMomentAt, usableSince } from './since';

const now = new Date('2026-11-21T12:00:00Z'); // 06:00 in Mexico City
const clock = clockOf('America/Mexico_City');

it.each([
  ['05:30', '2026-11-21T11:30:00.000Z'],
  ['06:00', '2026-11-21T12:00:00.000Z'],
  ['06:01', '2026-11-20T12:01:00.000Z'],
  ['19:00', '2026-11-21T01:00:00.000Z'],
])('a time is its last moment by the clock of the hospital', (time, moment) => {
  expect(lastMomentAt(time, now, clock)).toBe(moment);
});

it.each([
  ['2026-11-21T11:00:00Z', true],
  ['2026-11-18T12:00:01Z', true],
  ['2026-11-18T11:59:00Z', false],
  ['2026-11-21T12:01:00Z', false],
  ['yesterday', false],
  [null, false],
])('an address may name a moment of the last 72 hours', (since, isUsable) => {
  expect(usableSince(since, now)).toBe(isUsable ? since : undefined);
});
