import { expect, it } from 'vitest';
import { lineTotal } from './lineTotal';

it.each([
  [0.1, 3, 0.3],
  [1.01, 0.5, 0.51],
  [2.01, 0.5, 1.01],
  [0.95, 0.1, 0.1],
  [3021.75, 999_999.999, 3_021_749_996.98],
  [12.5, 0, 0],
])('%d × %d is %d', (price, quantity, total) => {
  expect(lineTotal(price, quantity)).toBe(total);
});
