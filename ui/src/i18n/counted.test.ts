import { expect, it } from 'vitest';
import { beforeName } from './counted';

it.each([
  ['3', 'Gasa estéril 10 × 10', '3'],
  ['3', '0,9 % suero', '3 ×'],
])('writes %s before %s as %s', (quantity, name, expected) => {
  expect(beforeName(quantity, name)).toBe(expected);
});
