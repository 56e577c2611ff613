import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { ConfirmProvider } from '@/shared/dialogs/Confirm';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';
import { gauze } from '@/test/ward';
import UnlistedItems from './UnlistedItems';

const item = {
  id: 5,
  consumption_sheet_id: 1,
  description: 'Bisturí láser',
  quantity: 1.5,
  occurred_at: '2026-11-21T09:40:00Z',
  created_at: '2026-11-21T09:41:00Z',
  user_id: 3,
  by: 'Lucía Paredes',
  staff_id: 7,
  staff: 'Lucía Paredes',
  area_id: 2,
  area: 'Cirugía',
  room_id: 5,
  state: 'open',
  decided_at: null,
  decided_by: null,
  reason: null,
  detail_id: null,
};

beforeEach(() => {
  server.use(
    http.get('/api/consumption-sheets/1/unlisted-items', () => HttpResponse.json({ items: [item] })),
    http.get('/api/products', () => HttpResponse.json(aPage([gauze]))),
  );
});

const show = (closed: boolean, user = aSupervisor()) =>
  render(
    <ConfirmProvider>
      <UnlistedItems sheet={aSheet({ closed, unlisted_items: 1 })} />
    </ConfirmProvider>,
    { user },
  );

const panel = async () => within(await screen.findByRole('region', { name: '1 artículo fuera de catálogo' }));

it('records the chosen product after asking its questions', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post('/api/unlisted-items/5/resolve', async ({ request }) => {
      sent.push(await request.json());
      if (sent.length > 1) return HttpResponse.json({ ...item, state: 'resolved', detail_id: 41 });
      const error = { field: 'lot', code: 'lot.required', message: 'Falta el lote.', acknowledgeable: true };
      return HttpResponse.json({ message: ['Falta el lote.'], errors: [error] }, { status: 422 });
    }),
  );
  await show(false);
  const items = await panel();
  expect(items.getByText('1,5 Bisturí láser')).toBeVisible();
  expect(items.getByText('Lucía Paredes · Cirugía · 21 nov 2026, 09:40')).toBeVisible();
  await userEvent.click(items.getByRole('button', { name: 'Indicar producto…' }));
  const dialog = within(await screen.findByRole('dialog', { name: '¿Qué producto es?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Registrar' }));
  expect(sent).toEqual([]);
  await userEvent.type(dialog.getByRole('combobox', { name: 'Producto' }), 'gasa');
  await userEvent.click(await screen.findByRole('option', { name: /Gasa estéril/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Registrar' }));
  const question = within(await screen.findByRole('dialog', { name: '¿Registrar de todos modos?' }));
  expect(question.getByText('Falta el lote.')).toBeVisible();
  await userEvent.click(question.getByRole('button', { name: 'Registrar' }));
  const chosen = { product_id: 1, lot: '', serial: '' };
  await waitFor(() =>
    expect(sent).toEqual([
      { ...chosen, acknowledged: [] },
      { ...chosen, acknowledged: ['lot.required'] },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('discards with a reason, even on a closed sheet', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post('/api/unlisted-items/5/discard', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ ...item, state: 'discarded' });
    }),
  );
  await show(true);
  const items = await panel();
  expect(items.queryByRole('button', { name: 'Indicar producto…' })).toBeNull();
  await userEvent.click(items.getByRole('button', { name: 'Descartar…' }));
  const dialog = within(await screen.findByRole('dialog', { name: '¿Descartar este artículo?' }));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Motivo' }), 'No se usó');
  await userEvent.click(dialog.getByRole('button', { name: 'Descartar' }));
  await waitFor(() => expect(sent).toEqual([{ reason: 'No se usó' }]));
});

it('shows open items to ward staff without actions', async () => {
  await show(false, aNurse());
  const items = await panel();
  expect(items.getByText('1,5 Bisturí láser')).toBeVisible();
  expect(items.queryByRole('button')).toBeNull();
});
