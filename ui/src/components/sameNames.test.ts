import { expect, it } from 'vitest';
import { sameNamed } from './sameNames';

it('tells whose name another thing has too, however it is written, and not the same thing listed twice', () => {
  const gauze = { id: 1, name: 'Gasa' };
  const isSameNamed = sameNamed([
    gauze,
    { id: 2, name: ' gasa ' },
    { id: 3, name: 'Venda' },
    { id: 3, name: 'Venda' },
  ]);
  expect([gauze, { name: 'GASA' }, { name: 'Venda' }, { name: 'Tela' }].map(isSameNamed)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
