import { expect, it } from 'vitest';
import { foundAs, isPartOfCode, isProductNamed } from './productSearch';

const product = { name: 'Jeringa 5 ml', code: 'JA-0001' };

it.each(['JA-00', 'ja00', '0001', 'A-000'])('recognizes "%s" as only a part of the code', (text) => {
  expect(isPartOfCode(product, text)).toBe(true);
});

it.each(['JA-0001', 'ja 0001', 'jeringa', '5', '5 jer', '7501234567893', ''])(
  'takes "%s" as more than a part of the code',
  (text) => {
    expect(isPartOfCode(product, text)).toBe(false);
  },
);

const catheter = { name: 'Catéter venoso 20G', also_called: ['Yelco', 'Abbo-cath'] };

it.each([
  ['yelco', true, 'Yelco'],
  ['ABBOCATH 20g', true, 'Abbo-cath'],
  ['3 yelco', false, 'Yelco'],
  ['catéter', true, undefined],
  ['catéter yel', true, 'Yelco'],
  ['sonda', false, undefined],
  ['', true, undefined],
])('finds by "%s" with other names: %s, as %s', (text, isFound, as) => {
  expect(isProductNamed(catheter, text)).toBe(isFound);
  expect(foundAs(catheter, text)).toBe(as);
});
