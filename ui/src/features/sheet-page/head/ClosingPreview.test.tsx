import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { SheetSummaryView, UnlistedItemView } from '@/api/generated';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { aSheet } from '@/test/sheets';
import ClosingPreview from './ClosingPreview';

it('lists the open unlisted items, apart from the total', async () => {
  const named = (id: number) => ({ id, description: `Pinza ${id}`, quantity: 1.5 }) as UnlistedItemView;
  const summary: SheetSummaryView = {
    consumption_sheet_id: 1,
    lines: 0,
    days: [],
    categories: [],
    without_quantity: [],
    unlisted_items: [1, 2, 3, 4, 5].map(named),
    version: 3,
  };
  await render(<ClosingPreview sheet={aSheet()} summary={summary} onMend={() => {}} />, { user: aNurse() });
  expect(
    screen.getByRole('heading', { name: '5 artículos fuera de catálogo, sin precio y fuera del total' }),
  ).toBeVisible();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '1,5 × Pinza 1',
    '1,5 × Pinza 2',
    '1,5 × Pinza 3',
    '1,5 × Pinza 4',
    'y 1 más',
  ]);
});
