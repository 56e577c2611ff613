import { expect, it } from 'vitest';
import { jittered, pollInterval } from './pollInterval';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const ago = (minutes: number) => NOW - minutes * 60_000;

it.each([
  ['usually', 5_000, {}],
  ['while another user records', 2_000, { othersAt: ago(9.9) }],
  ['by a clock that is behind', 2_000, { othersAt: ago(-9.9) }],
  ['after they have stopped', 5_000, { othersAt: ago(10) }],
  ['by a clock that is hours behind', 5_000, { othersAt: ago(-120) }],
  ['before half an hour of quiet', 5_000, { changedAt: ago(29.9) }],
  ['after half an hour of quiet', 10_000, { changedAt: ago(30), othersAt: ago(30) }],
  ['after one missing answer', 10_000, { misses: 1, othersAt: ago(1) }],
  ['after three', 40_000, { misses: 3 }],
  ['after many', 60_000, { misses: 12 }],
])('%s, the next poll is after %i ms', (_, interval, pace) => {
  expect(pollInterval({ now: NOW, othersAt: undefined, changedAt: ago(1), misses: 0, ...pace })).toBe(
    interval,
  );
});

it('varies the interval, so that pages do not poll together', () => {
  expect([0, 0.5, 1].map((random) => jittered(5_000, random))).toEqual([4_000, 5_000, 6_000]);
});
