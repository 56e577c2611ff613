import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { HistoryView } from '@/api/generated';
import { aNurse, anAdministrator, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

const at = '/consumption-sheets/1/history';

const recorded: HistoryView = {
  id: 2,
  at: '2026-11-20T12:30:00Z',
  user: { id: 3, email: 'user@consumo.test' },
  person: 'Rosa Núñez',
  patient: 'María Quispe Mamani',
  subject: 'Gasa',
  action: 'detail.added',
  entity: 'consumption_detail',
  entity_id: 41,
  sheet_id: 1,
  patient_id: null,
  api_key: null,
  changes: { quantity: [null, '2.000'] },
  names: {},
  who: 'Rosa Núñez',
  did: 'registró 2 Gasa',
  in_words: [],
};
const deleted: HistoryView = {
  ...recorded,
  id: 3,
  action: 'sheet.deleted',
  entity: 'consumption_sheet',
  entity_id: 1,
};

function serveHistory(...entries: HistoryView[]) {
  server.use(
    http.get('/api/consumption-sheets/1/history', () => HttpResponse.json(aPage(entries))),
    http.get('/api/consumption-sheets/1', () => HttpResponse.json(aSheet())),
    http.get('/api/consumption-sheets/1/closings', () => HttpResponse.json({ items: [] })),
  );
}

it('shows the events of the sheet, and links back to it', async () => {
  serveHistory(recorded);
  await render({ at }, { user: aSupervisor() });
  expect(await screen.findByRole('heading', { name: 'María Quispe Mamani' })).toBeVisible();
  expect(screen.getByRole('listitem')).toHaveTextContent('12:30Rosa Núñez registró 2 Gasa');
  expect(screen.getByRole('link', { name: 'Volver a la hoja' })).toHaveAttribute(
    'href',
    '/consumption-sheet-details/1/consumption-details',
  );
  // No links to the present sheet, or to pages for administrators only.
  expect(screen.queryByRole('link', { name: /Ver hoja|Rosa Núñez/ })).toBeNull();
});

it('links administrators to all entries of a user', async () => {
  serveHistory(recorded);
  await render({ at }, { user: anAdministrator() });
  expect(await screen.findByRole('link', { name: 'Rosa Núñez' })).toHaveAttribute('href', '/audit?user=3');
});

it('remains after the sheet was deleted', async () => {
  serveHistory(deleted);
  server.use(
    http.get('/api/consumption-sheets/1', () => HttpResponse.json({ message: 'x' }, { status: 404 })),
  );
  await render({ at }, { user: aSupervisor() });
  expect(await screen.findByRole('heading', { name: 'María Quispe Mamani' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Volver a la hoja' })).toBeNull();
});

it('is not available to ward staff', async () => {
  await render({ at }, { user: aNurse() });
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Historial' })).toBeNull();
});
