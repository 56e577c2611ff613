import { beforeEach, expect, it } from 'vitest';
import { fixedOrder, keepOrder, keptOrder, SHIFT } from './usualOrder';

beforeEach(() => localStorage.clear());

interface Case {
  kept?: number[];
  usual: number[];
  pinned?: number[];
  read?: number[];
  order: number[];
}

it.each<[string, Case]>([
  ['is the server’s at first', { usual: [3, 1, 2], order: [3, 1, 2] }],
  ['stays whatever is recorded', { kept: [3, 1, 2], usual: [2, 3, 1], order: [3, 1, 2] }],
  ['has new ones last', { kept: [3, 1], usual: [4, 1, 3], order: [3, 1, 4] }],
  ['keeps one that is no longer usual', { kept: [3, 1], usual: [1, 4], read: [3], order: [3, 1] }],
  ['fills the place of one that is gone', { kept: [3, 1, 2], usual: [1, 2, 4], order: [4, 1, 2] }],
  ['grows shorter where nothing follows', { kept: [3, 1, 2], usual: [1, 2], order: [1, 2] }],
  ['has the pinned ones first', { kept: [3, 1, 2], usual: [2, 3, 1], pinned: [2], order: [2, 3, 1] }],
  ['has a newly pinned one first', { kept: [3, 1], usual: [4, 3, 1], pinned: [4], order: [4, 3, 1] }],
  ['keeps pinned ones as they were', { kept: [3, 1, 2], usual: [1, 3, 2], pinned: [1, 3], order: [3, 1, 2] }],
  [
    'has a pinned one for which there was no room',
    { kept: [3, 1], usual: [4, 3], pinned: [4], read: [1], order: [4, 3] },
  ],
])('%s', (_, { kept = [], usual, pinned = [], read = [], order }) => {
  expect(fixedOrder(kept, usual, pinned, [...usual, ...read])).toEqual(order);
});

it('is stored per user and area, for 8 hours from its first use', () => {
  keepOrder(1, 5, [3, 1], 1000);
  keepOrder(1, 5, [3, 1, 2], 2000);
  keepOrder(2, 5, [9], 2000);
  expect(keptOrder(1, 5, 999 + SHIFT)).toEqual([3, 1, 2]);
  expect(keptOrder(1, 5, 1000 + SHIFT)).toEqual([]);
  expect(keptOrder(2, 5, 1000 + SHIFT)).toEqual([9]);
  expect(keptOrder(1, 6, 3000)).toEqual([]);
});

it('starts again if the stored order is invalid or in the future', () => {
  localStorage.setItem('usual', '{');
  expect(keptOrder(1, 5, 0)).toEqual([]);
  keepOrder(1, 5, [3], 5000);
  expect(keptOrder(1, 5, 4000)).toEqual([]);
});
