import { expect, it } from 'vitest';
import { duplicateNames } from './duplicateNames';

it('finds equal names, ignoring case and repeated items', () => {
  const gauze = { id: 1, name: 'Gasa' };
  const isDuplicate = duplicateNames([
    gauze,
    { id: 2, name: ' gasa ' },
    { id: 3, name: 'Venda' },
    { id: 3, name: 'Venda' },
  ]);
  expect([gauze, { name: 'GASA' }, { name: 'Venda' }, { name: 'Tela' }].map(isDuplicate)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
