import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { RestockDocumentView, RestockLineView, RestockView } from '@/api/generated';
import { scan } from '@/test/keys';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';
import { gauze, glove, largeGlove, refusal } from '@/test/ward';

const area = { id: 4, name: 'Urgencias', code: null };
const at = '/restock?area=4';

const lineOf = (
  { id, name, code, unit }: typeof gauze,
  needed: number,
  change: Partial<RestockLineView> = {},
): RestockLineView => ({
  product: { id, name, code, unit },
  needed,
  shelf: null,
  fixed_amount: null,
  put_back: null,
  ...change,
});

const aList = (change: Partial<RestockView> = {}): RestockView => ({
  area,
  number: 2,
  since: '2026-11-20T06:00:00Z',
  last_by: 'Luis Mora',
  items: [
    lineOf(gauze, 6, { shelf: 'A 1' }),
    lineOf(glove, 4, { shelf: 'B 2', fixed_amount: 100 }),
    lineOf(largeGlove, -2),
  ],
  ...change,
});

const aDocument: RestockDocumentView = {
  id: 31,
  area_id: 4,
  area: 'Urgencias',
  number: 2,
  closed_at: '2026-11-20T14:00:00Z',
  by: 'Lucía Paredes',
  lines: 1,
  left_over: 1,
  items: [
    {
      product: { id: gauze.id, name: gauze.name, code: gauze.code, unit: gauze.unit },
      shelf: 'A 1',
      quantity: 6,
      put_back: 6,
      by: 'Lucía Paredes',
      at: '2026-11-20T13:50:00Z',
    },
  ],
};

/** Serve the open list of an area; its ticks and closings are collected. */
function serveRestock() {
  const restock = {
    list: aList(),
    sent: [] as unknown[],
    /** Response instead of storing. */
    refuse: undefined as (() => Response) | undefined,
  };
  const store = (what: unknown, answer: () => Response) => {
    restock.sent.push(what);
    return restock.refuse?.() ?? answer();
  };
  const base = '/api/areas/4/restock';
  server.use(
    http.get('/api/areas/4', () => HttpResponse.json({ ...area, version: 1 })),
    http.get(base, () => HttpResponse.json(restock.list)),
    http.put(`${base}/products/:id`, async ({ params, request }) => {
      const body = (await request.json()) as { quantity: number };
      const tick = { quantity: body.quantity, by: 'Lucía Paredes', at: '2026-11-20T13:50:00Z' };
      return store({ tick: Number(params.id), ...body }, () => HttpResponse.json(tick));
    }),
    http.delete(`${base}/products/:id`, ({ params, request }) =>
      store(
        { untick: Number(params.id), number: new URL(request.url).searchParams.get('number') },
        () => new HttpResponse(null, { status: 204 }),
      ),
    ),
    http.post(`${base}/close`, async ({ request }) =>
      store({ close: await request.json() }, () => HttpResponse.json(aDocument, { status: 201 })),
    ),
    http.get('/api/restock-lists/31', () => HttpResponse.json(aDocument)),
  );
  return restock;
}

const box = (name: RegExp) => screen.findByRole('checkbox', { name });
const closeList = () => userEvent.click(screen.getByRole('button', { name: 'Cerrar lista' }));
const dialog = async () => within(await screen.findByRole('dialog', { name: '¿Cerrar esta lista?' }));

it('ticks a line, takes the tick back, and closes the list', async () => {
  const restock = serveRestock();
  const { router } = await render({ at }, { user: aNurse() });
  const line = await box(/^Gasa estéril GR-1 .*6/);
  await userEvent.click(line);
  await waitFor(() => expect(line).toHaveTextContent('Lucía Paredes'));
  await userEvent.click(line);
  await waitFor(() => expect(line).not.toBeChecked());
  await userEvent.click(line);
  expect(await screen.findByText('Falta 1 producto · 1 repuesto')).toBeVisible();
  await closeList();
  await userEvent.click((await dialog()).getByRole('button', { name: 'Cerrar lista' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/restock/lists/31'));
  const tick = { tick: gauze.id, number: 2, quantity: 6 };
  expect(restock.sent).toEqual([
    tick,
    { untick: gauze.id, number: '2' },
    tick,
    { close: { number: 2, settle_rest: false } },
  ]);
});

it('puts the fixed amount on the shelf, and takes what was used', async () => {
  const restock = serveRestock();
  await render({ at }, { user: aNurse() });
  await userEvent.click(await box(/^Guante de nitrilo M GR-2 .*100/));
  await waitFor(() => expect(restock.sent).toEqual([{ tick: glove.id, number: 2, quantity: 4 }]));
});

it('settles the rest only on request', async () => {
  const restock = serveRestock();
  await render({ at }, { user: aNurse() });
  await box(/Gasa/);
  await closeList();
  const asked = await dialog();
  await userEvent.click(asked.getByRole('checkbox', { name: /No pasar el resto/ }));
  await userEvent.click(asked.getByRole('button', { name: 'Cerrar lista' }));
  await waitFor(() => expect(restock.sent).toEqual([{ close: { number: 2, settle_rest: true } }]));
});

it('ticks a scanned product once, and says what is not on the list', async () => {
  const restock = serveRestock();
  const known: Record<string, typeof gauze> = { GASACODE: gauze, LARGECODE: largeGlove };
  server.use(
    http.get('/api/products/lookup', ({ request }) => {
      const product = known[new URL(request.url).searchParams.get('scan') ?? ''];
      return HttpResponse.json({ matches: product ? [{ product, units: 1, label: null }] : [], people: [] });
    }),
  );
  await render({ at }, { user: aNurse() });
  const line = await box(/Gasa/);
  await scan('GASACODE');
  await waitFor(() => expect(line).toBeChecked());
  await scan('GASACODE');
  expect(await screen.findByText('Gasa estéril ya estaba repuesto.')).toBeVisible();
  await scan('LARGECODE');
  expect(await screen.findByText(/Guante de nitrilo G no está en la lista/)).toBeVisible();
  expect(restock.sent).toHaveLength(1);
});

it('takes a tick back that the server refuses, and says why', async () => {
  const restock = serveRestock();
  restock.refuse = () => refusal('quantity', 'Escriba una cantidad mayor que 0.');
  await render({ at }, { user: aNurse() });
  const line = await box(/Gasa/);
  await userEvent.click(line);
  expect(await screen.findByText('Escriba una cantidad mayor que 0.')).toBeVisible();
  expect(line).not.toBeChecked();
});

it('takes a tick back without network', async () => {
  const restock = serveRestock();
  restock.refuse = () => HttpResponse.error();
  await render({ at }, { user: aNurse() });
  const line = await box(/Gasa/);
  await userEvent.click(line);
  expect(await screen.findByText(/No se pudo conectar|sin conexión|No hay conexión/i)).toBeVisible();
  await waitFor(() => expect(line).not.toBeChecked());
  expect(screen.getByText('Faltan 2 productos')).toBeVisible();
});

it('says who closed the list first, and shows the next one', async () => {
  const restock = serveRestock();
  const text = 'Luis Mora cerró la lista 2: revise la lista abierta.';
  await render({ at }, { user: aNurse() });
  await box(/Gasa/);
  restock.refuse = () => refusal('number', text, false, 'restock.closed');
  restock.list = aList({ number: 3, items: [lineOf(glove, 1)] });
  await closeList();
  await userEvent.click((await dialog()).getByRole('button', { name: 'Cerrar lista' }));
  expect(await screen.findByText(text)).toBeVisible();
  expect(await screen.findByText(/^Lista 3 · /)).toBeVisible();
  expect(screen.queryByRole('checkbox', { name: /Gasa/ })).toBeNull();
});

it('lists what was put back too often, without a box to tick', async () => {
  serveRestock();
  await render({ at }, { user: aNurse() });
  const over = await screen.findByRole('region', { name: 'Repuesto de más' });
  expect(over).toHaveTextContent('Guante de nitrilo GSobra: 2 par');
  expect(screen.queryByRole('checkbox', { name: /Guante de nitrilo G/ })).toBeNull();
});

it('lets only those who manage the catalogue set a shelf', async () => {
  serveRestock();
  const saved: unknown[] = [];
  server.use(
    http.put('/api/areas/4/shelves/1', async ({ request }) => {
      saved.push(await request.json());
      return HttpResponse.json({});
    }),
  );
  const name = 'Estante de Gasa estéril · GR-1';
  await render({ at }, { user: aSupervisor() });
  await userEvent.click(await screen.findByRole('button', { name }));
  const shelf = await screen.findByRole('textbox', { name: 'Estante' });
  await userEvent.clear(shelf);
  await userEvent.type(shelf, 'C 3{Enter}');
  await waitFor(() => expect(saved).toMatchObject([{ shelf: 'C 3' }]));
});

it('keeps the focus in the field in which the area was chosen', async () => {
  serveRestock();
  server.use(http.get('/api/areas', () => HttpResponse.json(aPage([area]))));
  await render({ at: '/restock' }, { user: aSupervisor() });
  const field = () => screen.findByRole('combobox', { name: 'Área' });
  await userEvent.type(await field(), 'Urg');
  await screen.findByRole('option', { name: 'Urgencias' });
  await userEvent.keyboard('{Enter}');
  await screen.findByText('Gasa estéril');
  expect(await field()).toHaveValue('Urgencias');
  expect(await field()).toHaveFocus();
});
