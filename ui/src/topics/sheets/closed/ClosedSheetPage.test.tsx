import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import type { DetailView, SheetView } from '@/api/generated';
import { aNurse, anAdministrator, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

const line = (change: Partial<DetailView>): DetailView => ({
  id: 1,
  version: 1,
  consumption_sheet_id: 1,
  product_id: 9,
  product: { id: 9, name: 'Guante de nitrilo', price: 0.1, category: { id: 1, name: 'Guantes' } },
  staff_id: 7,
  staff: { id: 7, name: 'Lucía', first_surname: 'Paredes', second_surname: null },
  user_id: 3,
  area_id: 2,
  area: { id: 2, name: 'Cirugía' },
  quantity: 1,
  unit_price: 0.1,
  total: 0.1,
  created_at: '2026-11-20T15:00:00Z',
  ...change,
});

let sheet: SheetView;
beforeEach(() => {
  sheet = aSheet({ closed: true, deleted_at: '2026-11-21T18:05:00Z', total: 0.6, version: 9 });
  const newest = [
    line({ id: 3, quantity: 2.5, unit_price: 0.12, total: 0.3, created_at: '2026-11-21T09:30:00Z' }),
    line({ id: 2, total: 0.2, quantity: 2, created_at: '2026-11-20T15:40:00Z' }),
  ];
  server.use(
    http.get('/api/consumption-sheets/1', () => HttpResponse.json(sheet)),
    http.get('/api/areas', () => HttpResponse.json(aPage([]))),
    http.get('/api/consumption-sheets/1/closings', () => HttpResponse.json({ items: [] })),
    http.get('/api/patients/11', () =>
      HttpResponse.json({ ...sheet.patient, record_number: 'HC-104', date_of_birth: '1985-02-01' }),
    ),
    http.get('/api/consumption-sheets/1/consumption-details', ({ request }) => {
      const second = new URL(request.url).searchParams.get('cursor') === 'more';
      const page = aPage(second ? [line({})] : newest, { total: 3 });
      return HttpResponse.json({ ...page, meta: { ...page.meta, ...(second ? {} : { next: 'more' }) } });
    }),
  );
});

it('groups all lines by day, with exact sums', async () => {
  await render({ at: '/consumption-sheets/closed/1' }, { user: aSupervisor() });
  const first = await screen.findByRole('region', { name: '20 nov 2026' });
  expect(first).toHaveTextContent('2 líneas$0,30');
  const rows = within(first).getAllByRole('row').slice(1);
  expect(rows.map((row) => row.lastChild?.textContent)).toEqual(['15:00', '15:40']);
  const second = screen.getByRole('region', { name: '21 nov 2026' });
  expect(within(second).getAllByRole('row')[1]).toHaveTextContent(
    '2,5Guante de nitrilo $0,12$0,30Lucía ParedesCirugía09:30',
  );
  const banner = screen.getByRole('region', { name: 'Paciente' });
  expect(banner).toHaveTextContent('María Quispe Mamani');
  expect(banner).toHaveTextContent('ExpedienteHC-104');
  expect(banner).toHaveTextContent('Cierre21 nov 2026, 18:05');
  expect(screen.getAllByText('$0,60')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Reabrir hoja' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Eliminar hoja' })).toBeNull();
});

it('shows pack data', async () => {
  const packed = line({ lot: 'L-2091/07', expiry: '2027-01-31', serial: 'SN 0001' });
  server.use(
    http.get('/api/consumption-sheets/1/consumption-details', () =>
      HttpResponse.json(aPage([packed], { total: 1 })),
    ),
  );
  await render({ at: '/consumption-sheets/closed/1' }, { user: aNurse() });
  const day = await screen.findByRole('region', { name: '20 nov 2026' });
  expect(day).toHaveTextContent('Lote: L-2091/07 · Vence: 31 ene 2027 · Número de serie: SN 0001');
});

it('shows ward staff the open unlisted items', async () => {
  sheet.unlisted_items = 1;
  const items = [{ id: 5, description: 'Bisturí láser', quantity: 1, occurred_at: '2026-11-21T09:40:00Z' }];
  server.use(http.get('/api/consumption-sheets/1/unlisted-items', () => HttpResponse.json({ items })));
  await render({ at: '/consumption-sheets/closed/1' }, { user: aNurse() });
  const open = await screen.findByRole('region', { name: '1 artículo fuera de catálogo' });
  expect(open).toHaveTextContent('1 Bisturí láser');
});

it('shows the message to billing, linked for those who may read', async () => {
  sheet.charging = { state: 'sent', at: '2026-11-21T18:06:00Z' };
  await render({ at: '/consumption-sheets/closed/1' }, { user: aNurse() });
  const banner = await screen.findByRole('region', { name: 'Paciente' });
  expect(banner).toHaveTextContent('Enviada a facturación, 21 nov 2026, 18:06');
  cleanup();
  sheet.charging = { state: 'dead', at: null };
  await render({ at: '/consumption-sheets/closed/1' }, { user: aSupervisor() });
  expect(await screen.findByRole('link', { name: 'Envío fallido' })).toHaveAttribute(
    'href',
    '/messages/outbound',
  );
});

it('lists the versions of a reopened sheet, each with its report', async () => {
  const first = { turn: 1, closed_at: '2026-11-20T10:15:00Z', by: 'Ana Paz', total: 1234.5, lines: 3 };
  const second = { turn: 2, closed_at: '2026-11-21T18:05:00Z', by: null, total: 0.6, lines: 3 };
  server.use(
    http.get('/api/consumption-sheets/1/closings', () => HttpResponse.json({ items: [first, second] })),
    http.get('/api/consumption-sheets/1/closings/2', () => HttpResponse.json({ sheet, lines: 0, days: [] })),
  );
  await render({ at: '/consumption-sheets/closed/1' }, { user: aSupervisor() });
  const versions = within(await screen.findByRole('list', { name: 'Versiones de la hoja' }));
  const told = versions.getAllByRole('listitem').map((item) => item.textContent);
  expect(told[0]).toContain('Versión 2 · cerrada 21 nov 2026, 18:05 · $0,60');
  expect(told[1]).toContain('Versión 1 · cerrada 20 nov 2026, 10:15 por Ana Paz · $1.234,50');
  expect(versions.getByRole('button', { name: 'Descargar informe: Versión 1' })).toBeVisible();
});

it('shows what the closing froze, despite later renames', async () => {
  const closed_at = '2026-11-21T18:05:00Z';
  const frozen = {
    sheet: { ...sheet, patient: { ...sheet.patient, name: 'Marisol' } },
    lines: 1,
    days: [{ day: '2026-11-20', categories: [{ details: [line({ occurred_at: '2026-11-20T11:20:00Z' })] }] }],
  };
  server.use(
    http.get('/api/consumption-sheets/1/closings', () =>
      HttpResponse.json({ items: [{ turn: 1, closed_at, by: 'Ana Paz', total: 0.6, lines: 1 }] }),
    ),
    http.get('/api/consumption-sheets/1/closings/1', () => HttpResponse.json(frozen)),
  );
  await render({ at: '/consumption-sheets/closed/1' }, { user: aSupervisor() });
  const day = await screen.findByRole('region', { name: '20 nov 2026' });
  expect(within(day).getAllByRole('row')[1]).toHaveTextContent(
    '1Guante de nitrilo $0,10$0,10Lucía ParedesCirugía11:20',
  );
  expect(screen.queryByRole('region', { name: '21 nov 2026' })).toBeNull();
  expect(screen.getByRole('region', { name: 'Paciente' })).toHaveTextContent('Marisol Quispe Mamani');
});

it('shows a single closing, without the total for ward staff', async () => {
  const only = { turn: 1, closed_at: '2026-11-20T10:15:00Z', by: 'Ana Paz', lines: 3 };
  server.use(http.get('/api/consumption-sheets/1/closings', () => HttpResponse.json({ items: [only] })));
  await render({ at: '/consumption-sheets/closed/1' }, { user: aNurse() });
  expect(await screen.findByText('Versión 1 · cerrada 20 nov 2026, 10:15 por Ana Paz')).toBeVisible();
  expect(screen.queryByRole('list', { name: 'Versiones de la hoja' })).toBeNull();
});

it('loads all pages of a long sheet', async () => {
  server.use(
    http.get('/api/consumption-sheets/1/consumption-details', ({ request }) => {
      const at = Number(new URL(request.url).searchParams.get('cursor') ?? 0);
      const page = aPage([line({ id: at + 1 })], { total: 7 });
      return HttpResponse.json({ ...page, meta: { ...page.meta, ...(at < 6 && { next: String(at + 1) }) } });
    }),
  );
  await render({ at: '/consumption-sheets/closed/1' }, { user: aNurse() });
  expect(await screen.findByRole('region', { name: '20 nov 2026' })).toHaveTextContent('7 líneas');
});

it('shows ward staff no amounts', async () => {
  sheet = { ...sheet, total: undefined };
  await render({ at: '/consumption-sheets/closed/1' }, { user: aNurse(), language: 'en' });
  expect(await screen.findByRole('region', { name: 'Nov 20, 2026' })).toHaveTextContent('2 lines');
  expect(screen.queryByRole('columnheader', { name: /Price|Total/ })).toBeNull();
  expect(document.body).not.toHaveTextContent('$');
});

it('is reopened with a reason by administrators', async () => {
  let reason: unknown;
  server.use(
    http.post('/api/consumption-sheets/1/reopen', async ({ request }) => {
      reason = await request.json();
      sheet = { ...sheet, closed: false, deleted_at: null };
      return HttpResponse.json(sheet);
    }),
  );
  const { router } = await render({ at: '/consumption-sheets/closed/1' }, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('button', { name: 'Reabrir hoja' }));
  const dialog = await screen.findByRole('dialog', { name: '¿Reabrir la hoja de consumo?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Reabrir hoja' }));
  expect(within(dialog).getByText('Este dato es obligatorio.')).toBeVisible();
  await userEvent.type(within(dialog).getByLabelText(/^Motivo/), 'Faltó una sutura');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Reabrir hoja' }));
  expect(await screen.findByText('Hoja de consumo reabierta')).toBeVisible();
  expect(reason).toEqual({ reason: 'Faltó una sutura' });
  await waitFor(() =>
    expect(router.state.location.pathname).toBe('/consumption-sheet-details/1/consumption-details'),
  );
});

it('is deleted permanently by administrators', async () => {
  let expected: string | null = null;
  server.use(
    http.delete('/api/consumption-sheets/1', ({ request }) => {
      expected = request.headers.get('If-Match');
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
  );
  const { router } = await render({ at: '/consumption-sheets/closed/1' }, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('button', { name: 'Eliminar hoja' }));
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Eliminar hoja' }),
  );
  expect(await screen.findByText('Hoja de consumo eliminada')).toBeVisible();
  expect(expected).toBe('"9"');
  await waitFor(() => expect(router.state.location.pathname).toBe('/consumption-sheets/closed'));
});

it.each([
  ['/consumption-sheets/closed/1', false, '/consumption-sheet-details/1/consumption-details'],
  ['/consumption-sheets/1', false, '/consumption-sheet-details/1/consumption-details'],
  ['/consumption-sheets/1', true, '/consumption-sheets/closed/1'],
])('%s redirects a sheet, closed: %s, to %s', async (at, isClosed, to) => {
  sheet = { ...sheet, closed: isClosed };
  const { router } = await render({ at }, { user: aNurse() });
  await waitFor(() => expect(router.state.location.pathname).toBe(to));
});

it('downloads the report under a name without the patient', async () => {
  let saved = '';
  let asked = '';
  URL.createObjectURL = () => 'blob:report';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved = this.download;
  });
  server.use(
    http.get('/api/consumption-sheets/1/pdf', ({ request }) => {
      asked = request.headers.get('accept-language') ?? '';
      return new HttpResponse('%PDF', { headers: { 'Content-Type': 'application/pdf' } });
    }),
  );
  await render({ at: '/consumption-sheets/closed/1' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Descargar informe' }));
  await waitFor(() => expect(saved).toBe('hoja-de-consumo-1.pdf'));
  expect(asked).toBe('es');
});

const late = {
  id: 5,
  consumption_sheet_id: 1,
  items: [
    { product_id: 9, product: 'Guante de nitrilo', quantity: 3, lot: null, serial: null },
    { product_id: 99, product: null, quantity: 1.5, lot: null, serial: null },
  ],
  kit_id: null,
  occurred_at: '2026-11-21T09:40:00Z',
  arrived_at: '2026-11-21T19:00:00Z',
  user_id: 3,
  by: 'Lucía Paredes',
  decision: null,
  decided_at: null,
  decided_by: null,
  reason: null,
};

/** Serve a pending late entry, and collect the decisions sent. */
function serveLate() {
  const sent: { what: string; body: unknown }[] = [];
  sheet = { ...sheet, late_entries: 1 };
  server.use(
    http.get('/api/consumption-sheets/1/late-entries', () =>
      HttpResponse.json({
        items: [late, { ...late, id: 6, decision: 'dismissed', reason: 'Ya está', decided_by: 'Jorge Peña' }],
      }),
    ),
    http.post('/api/late-entries/5/:what', async ({ request, params }) => {
      sent.push({ what: String(params.what), body: await request.json() });
      return HttpResponse.json({ ...late, decision: 'dismissed' });
    }),
  );
  return sent;
}

it('shows supervisors late entries; dismissing needs a reason', async () => {
  const sent = serveLate();
  await render({ at: '/consumption-sheets/closed/1' }, { user: aSupervisor() });
  const panel = within(await screen.findByRole('region', { name: '1 línea llegó tarde' }));
  expect(panel.getByText('3 Guante de nitrilo, 1,5 #99')).toBeVisible();
  expect(panel.getByText(/Lucía Paredes · usado el .* · llegó el /)).toBeVisible();
  expect(panel.getByText(/primero un administrador debe reabrirla/)).toBeVisible();
  // Nothing can be recorded on a closed sheet.
  expect(panel.queryByRole('button', { name: 'Registrar' })).toBeNull();
  await userEvent.click(panel.getByRole('button', { name: 'Descartar…' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Descartar' }));
  expect(sent).toEqual([]);
  await userEvent.type(dialog.getByRole('textbox', { name: /Motivo/ }), 'Ya está');
  await userEvent.click(dialog.getByRole('button', { name: 'Descartar' }));
  await waitFor(() => expect(sent).toEqual([{ what: 'dismiss', body: { reason: 'Ya está' } }]));
});

it('hides late entries from ward staff', async () => {
  serveLate();
  await render({ at: '/consumption-sheets/closed/1' }, { user: aNurse() });
  await screen.findByRole('region', { name: 'Paciente' });
  expect(screen.queryByRole('region', { name: /llegó tarde/ })).toBeNull();
});

it('prints the report that it downloads', async () => {
  let asked = 0;
  server.use(
    http.get('/api/consumption-sheets/1/pdf', () => {
      asked += 1;
      return HttpResponse.arrayBuffer(new TextEncoder().encode('%PDF').buffer, {
        headers: { 'Content-Type': 'application/pdf' },
      });
    }),
  );
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { pdfViewerEnabled: true }));
  await render({ at: '/consumption-sheets/closed/1' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Imprimir' }));
  await waitFor(() => expect(document.querySelector('iframe')?.src).toMatch(/^blob:/));
  expect(asked).toBe(1);
  vi.unstubAllGlobals();
  document.querySelector('iframe')?.remove();
});

it('counts down to the end of undoing, and undoes the closing', async () => {
  const until = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  sheet.undo_closing_until = until(7.5);
  server.use(
    http.post('/api/consumption-sheets/1/close/undo', () => {
      sheet = aSheet({ version: 10 });
      return HttpResponse.json(sheet);
    }),
  );
  const { router } = await render({ at: '/consumption-sheets/closed/1' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Deshacer cierre (8 min)' }));
  await waitFor(() =>
    expect(router.state.location.pathname).toBe('/consumption-sheet-details/1/consumption-details'),
  );
});

it('offers no undoing to others, and none that is over', async () => {
  await render({ at: '/consumption-sheets/closed/1' }, { user: aNurse() });
  await screen.findByRole('button', { name: 'Imprimir' });
  expect(screen.queryByText(/Deshacer cierre/)).toBeNull();
  cleanup();
  sheet.undo_closing_until = new Date(Date.now() - 1_000).toISOString();
  await render({ at: '/consumption-sheets/closed/1' }, { user: aNurse() });
  expect(await screen.findByText(/Deshacer cierre/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /Deshacer cierre/ })).toBeNull();
});
