import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import type { RecallView } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const catheter = { id: 8, name: 'Catéter 20G', code: null, unit: 'pieza' };
const inForce: RecallView = {
  id: 4,
  product_id: 8,
  product: catheter,
  lot: 'L-77',
  reason: 'Se parte al retirarlo.',
  opened_at: '2026-11-20T10:20:00Z',
  opened_by: 2,
  closed: false,
  closed_at: null,
  set_aside: 0,
};
const ended: RecallView = { ...inForce, id: 5, lot: null, closed: true, closed_at: '2026-11-21T08:00:00Z' };
const usedLine = {
  id: 31,
  consumption_sheet_id: 71,
  product_id: 8,
  product: catheter,
  quantity: 2,
  lot: 'L-77',
  serial: null,
  staff: null,
  staff_id: null,
  area: null,
  area_id: null,
  created_at: '2026-11-20T10:20:00Z',
  room: { id: 5, name: '201-A' },
  patient_id: 11,
  patient: {
    id: 11,
    name: 'María',
    first_surname: 'Quispe',
    second_surname: null,
    record_number: 'E-1',
  },
  user_id: 2,
  version: 1,
};

const setAside = {
  id: 1,
  quantity: 3,
  at: '2026-11-20T11:00:00Z',
  by: 'Rosa Núñez',
  lot: 'L-77',
  room: '201-A',
  area: null,
};

/** Serve two recalls, and collect the requests. */
function serveRecalls() {
  const asked: string[] = [];
  const sent: { method: string; path: string; body: unknown }[] = [];
  const note = async (request: Request) =>
    sent.push({ method: request.method, path: new URL(request.url).pathname, body: await request.json() });
  server.use(
    http.get('/api/recalls', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(aPage([request.url.includes('closed=true') ? ended : inForce]));
    }),
    http.get('/api/recalls/4', () => HttpResponse.json(inForce)),
    http.get('/api/recalls/5', () => HttpResponse.json(ended)),
    http.get('/api/recalls/:id/consumption-details', ({ request }) => {
      const { pathname, search } = new URL(request.url);
      asked.push(pathname + search);
      return HttpResponse.json(aPage([usedLine]));
    }),
    http.get('/api/recalls/4/set-aside', () => HttpResponse.json({ items: [setAside], quantity: 3 })),
    http.get('/api/recalls/5/set-aside', () => HttpResponse.json({ items: [], quantity: 0 })),
    http.get('/api/products', () =>
      HttpResponse.json(aPage([{ ...catheter, code: 'CAT-20', active: false }])),
    ),
    http.post('/api/recalls', async ({ request }) => {
      await note(request);
      return HttpResponse.json(inForce, { status: 201 });
    }),
    http.put('/api/recalls/:id', async ({ request }) => {
      await note(request);
      return HttpResponse.json(inForce);
    }),
  );
  return { asked, sent };
}

const supervisor = { user: aSupervisor() };

it('lists recalls in force, and closed ones in another tab', async () => {
  const { asked } = serveRecalls();
  await render({ at: '/recalls' }, supervisor);
  const row = await screen.findByRole('row', { name: /Catéter 20G/ });
  expect(row).toHaveTextContent('L-77');
  expect(asked[0]).toBe('?page=1&closed=false');
  await userEvent.click(screen.getByRole('link', { name: 'Terminados' }));
  expect(await screen.findByRole('row', { name: /Todos los lotes/ })).toBeVisible();
  expect(asked.at(-1)).toBe('?page=1&closed=true');
  expect(screen.getByRole('link', { name: 'Terminados' })).toHaveAttribute('aria-current', 'page');
});

it('shows who set units aside, and when', async () => {
  serveRecalls();
  await render({ at: '/recalls/4' }, supervisor);
  const region = await screen.findByRole('region', { name: 'Apartados: 3' });
  expect(region).toHaveTextContent('3 20 nov 2026, 11:00 · Rosa Núñez · 201-A · Lote L-77');
});

it('creates a recall, and requires a lot or all lots', async () => {
  const { sent } = serveRecalls();
  const { router } = await render({ at: '/recalls/create' }, supervisor);
  // An inactive product may still be on a shelf.
  await userEvent.type(await screen.findByRole('combobox', { name: 'Producto' }), 'cat{Enter}');
  await userEvent.type(screen.getByRole('textbox', { name: 'Motivo' }), 'Se parte.');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  const lot = screen.getByRole('textbox', { name: 'Lote' });
  await waitFor(() => expect(lot).toHaveAccessibleDescription(/Este dato es obligatorio/));
  expect(sent).toEqual([]);
  // A scanner's Enter must not submit the form.
  await userEvent.type(lot, 'L-77{Enter}');
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Retiro abierto')).toBeVisible();
  expect(sent).toEqual([
    { method: 'POST', path: '/api/recalls', body: { product_id: 8, lot: 'L-77', reason: 'Se parte.' } },
  ]);
  await waitFor(() => expect(router.state.location.pathname).toBe('/recalls/4'));
});

it('edits a closed recall of all lots, and leaves it closed', async () => {
  const { sent } = serveRecalls();
  await render({ at: '/recalls/5/edit' }, supervisor);
  expect(await screen.findByRole('switch', { name: /^Todos los lotes/ })).toBeChecked();
  expect(screen.getByRole('textbox', { name: 'Lote' })).toBeDisabled();
  const reason = screen.getByRole('textbox', { name: 'Motivo' });
  await userEvent.clear(reason);
  await userEvent.type(reason, 'Otro.');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('¡Retiro actualizado!')).toBeVisible();
  expect(sent).toEqual([
    { method: 'PUT', path: '/api/recalls/5', body: { product_id: 8, reason: 'Otro.', closed: true } },
  ]);
});

it('lists the uses of the lot, and exports them', async () => {
  const { asked } = serveRecalls();
  await render({ at: '/recalls/4' }, supervisor);
  const row = await screen.findByRole('row', { name: /Quispe/ });
  expect(within(row).getByRole('link', { name: 'Hoja 71' })).toHaveAttribute(
    'href',
    '/consumption-sheets/71',
  );
  expect(row).toHaveTextContent('201-A');
  URL.createObjectURL = () => 'blob:lot';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  await userEvent.click(screen.getByRole('button', { name: 'Más acciones' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Exportar a Excel (XLSX)' }));
  await waitFor(() => expect(asked.at(-1)).toBe('/api/recalls/4/consumption-details?format=xlsx'));
});

it('closes a recall after confirmation, and reactivates it', async () => {
  const { sent } = serveRecalls();
  const { router } = await render({ at: '/recalls/4' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Terminar retiro' }));
  const dialog = await screen.findByRole('dialog', { name: '¿Terminar este retiro?' });
  expect(sent).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Terminar retiro' }));
  expect(await screen.findByText('Retiro terminado')).toBeVisible();
  const draft = { product_id: 8, lot: 'L-77', reason: 'Se parte al retirarlo.' };
  expect(sent).toEqual([{ method: 'PUT', path: '/api/recalls/4', body: { ...draft, closed: true } }]);
  await router.navigate('/recalls/5');
  await userEvent.click(await screen.findByRole('button', { name: 'Reactivar' }));
  expect(await screen.findByText('Retiro reactivado')).toBeVisible();
  expect(sent.at(-1)?.body).toEqual({ product_id: 8, reason: draft.reason, closed: false });
});

it('is available only to users who manage recalls', async () => {
  serveRecalls();
  await render({ at: '/recalls' }, { user: aNurse() });
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Retiros' })).toBeNull();
});
