import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { OwnAccountView, SheetSummaryView, SheetView, UnlistedItemView } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { aSheet } from '@/test/sheets';
import ClosingPreview from './ClosingPreview';

interface Given {
  summary: Partial<SheetSummaryView>;
  sheet?: Partial<SheetView>;
  user?: OwnAccountView;
}

async function preview({ summary, sheet, user = aNurse() }: Given) {
  const gone: unknown[] = [];
  const whole: SheetSummaryView = {
    consumption_sheet_id: 1,
    lines: 0,
    days: [],
    recordable_from: null,
    categories: [],
    without_quantity: [],
    far_out: [],
    incomplete_implants: [],
    unlisted_items: [],
    version: 3,
    ...summary,
  };
  await render(
    <ClosingPreview
      sheet={aSheet(sheet)}
      summary={whole}
      onMend={(id) => gone.push(id)}
      onShow={(id) => gone.push(id)}
      onRecordAt={(moment) => gone.push(moment)}
      onRecord={(productId) => gone.push(productId)}
    />,
    { user },
  );
  return gone;
}

describe('the days of the stay', () => {
  const days = [
    { day: '2020-11-20', lines: 8 },
    ...['21', '22', '23'].map((day) => ({ day: `2020-11-${day}`, lines: 0 })),
    { day: '2020-11-24', lines: 1 },
  ];

  it('are bars, and days without lines are named', async () => {
    await preview({ summary: { days } });
    const strip = screen.getByRole('list', { name: 'Líneas por día' });
    expect(
      within(strip)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      '20 nov: 8 líneas',
      '21 nov: sin líneas',
      '22 nov: sin líneas',
      '23 nov: sin líneas',
      '24 nov: 1 línea',
    ]);
    expect(screen.getByText('21, 22 y 23 nov: sin líneas')).toBeVisible();
    expect(screen.getAllByRole('row')).toHaveLength(3);
  });

  it('can be added to at noon, those too early only by supervisors', async () => {
    const gone = await preview({ summary: { days, recordable_from: '2020-11-22T09:00:00Z' } });
    const offered = screen.getAllByRole('button').map(({ textContent }) => textContent);
    expect(offered).toEqual(['Agregar 22 nov', 'Agregar 23 nov']);
    expect(screen.getByText('A días más antiguos solo puede agregar líneas quien supervisa.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Agregar 22 nov' }));
    expect(gone).toEqual(['2020-11-22T12:00:00.000Z']);
  });

  it('begin with the admission and end now', async () => {
    const gone = await preview({
      summary: {
        days: [
          { day: '2020-11-20', lines: 0 },
          { day: '2999-11-20', lines: 0 },
        ],
      },
      sheet: { stays: [{ room: { id: 1, name: '202' }, from: '2020-11-20T20:00:00Z', until: null }] },
    });
    for (const button of screen.getAllByRole('button')) await userEvent.click(button);
    expect(gone).toEqual(['2020-11-20T20:00:00Z', null]);
  });

  it('have few buttons in a long stay', async () => {
    const many = Array.from({ length: 12 }, (_, day) => ({ day: `2020-11-${day + 10}`, lines: 0 }));
    await preview({ summary: { days: many }, user: aSupervisor() });
    expect(screen.getAllByRole('button')).toHaveLength(7);
    expect(screen.getByText('Para 5 días anteriores, elija la hora de uso al registrar.')).toBeVisible();
  });
});

it('links the open unlisted items, apart from the total', async () => {
  const named = (id: number) => ({ id, description: `Pinza ${id}`, quantity: 1.5 }) as UnlistedItemView;
  const gone = await preview({ summary: { unlisted_items: [1, 2, 3, 4, 5].map(named) } });
  expect(
    screen.getByRole('heading', { name: '5 artículos fuera de catálogo, sin precio y fuera del total' }),
  ).toBeVisible();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Revisar 1,5 Pinza 1',
    'Revisar 1,5 Pinza 2',
    'Revisar 1,5 Pinza 3',
    'Revisar 1,5 Pinza 4',
    'y 1 más',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Revisar 1,5 Pinza 2' }));
  expect(gone).toEqual(['unlisted-2']);
});

it('links lines that are far out, and late ones for who decides', async () => {
  const line = {
    id: 8,
    product_id: 1,
    product_name: 'Gasa',
    product_code: null,
    quantity: 95,
    created_at: '2026-11-20T12:30:00Z',
  };
  const summary = { far_out: [line] };
  const gone = await preview({ summary, sheet: { late_entries: 2 }, user: aSupervisor() });
  expect(screen.getByRole('heading', { name: '1 línea muy por encima de lo habitual' })).toBeVisible();
  expect(screen.getByRole('heading', { name: '2 líneas tardías' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Revisar Gasa' }));
  await userEvent.click(screen.getByRole('button', { name: 'Revisar líneas tardías' }));
  expect(gone).toEqual([8, 'late']);
});
