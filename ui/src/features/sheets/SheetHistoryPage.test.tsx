import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { HistoryView } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

const at = '/consumption-sheets/1/history';

const entry = (action: string, change: Partial<HistoryView> = {}): HistoryView => ({
  id: Math.round(Math.random() * 1e9),
  at: '2026-11-20T12:30:00Z',
  user: { id: 3, email: 'user@consumo.test' },
  person: 'Rosa Núñez',
  patient: 'María Quispe Mamani',
  subject: null,
  action,
  entity: action.startsWith('sheet') ? 'consumption_sheet' : 'consumption_detail',
  entity_id: 1,
  sheet_id: 1,
  changes: {},
  names: {},
  ...change,
});

function serveHistory(...entries: HistoryView[]) {
  server.use(
    http.get('/api/consumption-sheets/1/history', () => HttpResponse.json(aPage(entries))),
    http.get('/api/consumption-sheets/1', () => HttpResponse.json(aSheet())),
  );
}

const told = async () => {
  await screen.findByRole('heading', { name: 'María Quispe Mamani' });
  return screen.getAllByRole('listitem').map((item) => item.textContent);
};

it('tells in sentences who did what, and what was before and after', async () => {
  serveHistory(
    entry('sheet.reopened', { changes: { reason: [null, 'Faltó una gasa'], closed_at: ['x', null] } }),
    entry('sheet.closed', { person: null }),
    entry('detail.deleted', {
      subject: 'Gasa',
      changes: { quantity: ['2.000', null], product_id: [8, null] },
    }),
    entry('detail.edited', {
      subject: 'Gasa',
      changes: {
        quantity: ['2.000', '3.500'],
        total: ['0.70', '1234.50'],
        area_id: [null, 4],
        staff_id: [7, 9],
      },
      names: { area_id: [null, 'Quirófano'], staff_id: ['Lucía Paredes', null] },
    }),
    entry('detail.added', {
      subject: 'Gasa',
      changes: { quantity: [null, '2.000'], staff_id: [null, 7] },
      names: { staff_id: [null, 'Lucía Paredes'] },
    }),
    entry('detail.added', { changes: { quantity: [null, '0.5'] } }),
    entry('sheet.updated', {
      changes: { doctor: ['Dra. Vega', ''], admission_date: ['2026-11-19', '2026-11-20'], room_id: [5, 6] },
      names: { room_id: ['101', '102'] },
    }),
    entry('sheet.opened', { user: null, person: null, changes: { doctor: [null, 'Dra. Vega'] } }),
  );
  await render({ at }, { user: aSupervisor() });
  expect(await told()).toEqual([
    '12:30Rosa Núñez reabrió la hoja. Motivo: Faltó una gasa',
    '12:30user@consumo.test finalizó la hoja.',
    '12:30Rosa Núñez borró 2 × Gasa.',
    expect.stringMatching(/^12:30Rosa Núñez corrigió el registro de Gasa\./),
    'Cantidad: de 2 a 3,5',
    'Total: de $0,70 a $1.234,50',
    'Personal: de Lucía Paredes a algo que ya no existe',
    'Área: de ninguno a Quirófano',
    '12:30Rosa Núñez registró 2 × Gasa a nombre de Lucía Paredes.',
    '12:30Rosa Núñez registró 0,5 × algo que ya no existe.',
    expect.stringMatching(/^12:30Rosa Núñez corrigió la hoja\./),
    'Habitación: de 101 a 102',
    'Fecha de ingreso: de 19 nov 2026 a 20 nov 2026',
    'Médico: de Dra. Vega a ninguno',
    '12:30Consumo abrió la hoja.',
  ]);
  expect(screen.getByRole('link', { name: 'Volver a la hoja' })).toHaveAttribute(
    'href',
    '/consumption-sheet-details/1/consumption-details',
  );
});

it('goes by days, and speaks English too', async () => {
  serveHistory(
    entry('sheet.closed'),
    entry('detail.added', {
      at: '2026-11-19T23:59:00Z',
      subject: 'Gauze',
      changes: { quantity: [null, '2'] },
    }),
  );
  await render({ at }, { user: aSupervisor(), language: 'en' });
  expect(await told()).toEqual(['12:30Rosa Núñez closed the sheet.', '23:59Rosa Núñez recorded 2 × Gauze.']);
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Nov 20, 2026',
    'Nov 19, 2026',
  ]);
});

it('outlives the sheet', async () => {
  serveHistory(entry('sheet.deleted'));
  server.use(
    http.get('/api/consumption-sheets/1', () => HttpResponse.json({ message: 'x' }, { status: 404 })),
  );
  await render({ at }, { user: aSupervisor() });
  expect(await told()).toEqual(['12:30Rosa Núñez eliminó la hoja.']);
  expect(screen.queryByRole('link', { name: 'Volver a la hoja' })).toBeNull();
});

it('is not for ward staff: they are shown the sheet', async () => {
  server.use(
    http.get('/api/consumption-sheets/1', () => HttpResponse.json(aSheet({ closed: true }))),
    http.get('/api/consumption-sheets/1/consumption-details', () => HttpResponse.json(aPage([]))),
    http.get('/api/patients/11', () => HttpResponse.json({ message: 'x' }, { status: 404 })),
  );
  const { router } = await render({ at }, { user: aNurse() });
  expect(await screen.findByText('En esta hoja no se registró consumo.')).toBeVisible();
  expect(router.state.location.pathname).toBe('/consumption-sheets/closed/1');
  expect(screen.queryByRole('link', { name: 'Historial' })).toBeNull();
});
