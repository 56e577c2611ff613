import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import type { MonthChangeView, MonthSummaryView, MonthView } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { aReport } from '@/test/reports';
import { server } from '@/test/server';

const CLOSED: MonthSummaryView = {
  ...{ month: '2026-10', id: 118, turn: 1, at: '2026-11-02T09:14:00Z', by: 'Supervisión' },
  ...{ total: 38240, changes: 4, changes_total: -310, may_close: true },
};
const OPEN: MonthSummaryView = {
  ...{ month: '2026-09', id: null, turn: 0, at: null, by: null, total: null },
  ...{ changes: 0, changes_total: 0, may_close: true },
};
const MONTHS = [{ ...OPEN, month: '2026-11', may_close: false }, CLOSED, OPEN];

const figures = (total: number, value = total) => ({ lines: 3, quantity: 5, returned: 0, total, value });
const change = (more: Partial<MonthChangeView>): MonthChangeView => ({
  ...{ day: '2026-10-30', at: '2026-11-05T10:02:00Z', by: 'Lucía Paredes', kind: 'voided' },
  ...{ sheet_id: 7, detail_id: 4410, product: 'Catéter 20G' },
  ...{ lines: -1, quantity: -1, returned: 0, total: -30, value: -30 },
  ...more,
});
const MONTH: MonthView = {
  ...{
    id: 118,
    proof: null,
    area: null,
    month: '2026-10',
    turn: 1,
    at: '2026-11-02T09:14:00Z',
    by: 'Supervisión',
  },
  total: 38240,
  versions: [{ id: 118, turn: 1, at: '2026-11-02T09:14:00Z', total: 38240 }],
  sums: { treatment: figures(38120, 39004.1), area: figures(0, 2310.4), wasted: figures(120, 790) },
  accounts: {
    closed: { sheets: 96, total: 36100 },
    open: { sheets: 1, total: 2140 },
    ...{ charged: 36000, charged_open: 0, unsent: 100 },
  },
  products: [{ id: 5, name: 'Suero 500 ml', code: '77', unit: 'bolsa', ...figures(9000) }],
  areas: [{ id: null, name: null, code: null, unit: null, ...figures(40) }],
  categories: [],
  days: [{ day: '2026-10-01', ...figures(1200) }],
  changes: {
    ...{ count: 4, total: -310 },
    items: [
      change({}),
      change({ kind: 'returned', product: 'Suero 500 ml', sheet_id: 12, quantity: -4, total: -280 }),
      change({ kind: 'edited', detail_id: 9, total: -30 }),
      change({ kind: 'edited', detail_id: 9, product: 'Catéter 18G', quantity: 1, total: 30 }),
    ],
  },
  made_here: { count: 0, total: 0, items: [] },
};

const supervisor = { user: aSupervisor() };

/** Serve months, and collect what is asked and sent. */
function serve(month = MONTH, months = MONTHS) {
  const asked: string[] = [];
  const sent: unknown[] = [];
  server.use(
    http.get('/api/months', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ items: months });
    }),
    http.get('/api/months/:id', () => HttpResponse.json(month)),
    http.get('/api/areas/4', () => HttpResponse.json({ id: 4, name: 'Quirófano' })),
    http.get('/api/reports/consumption', ({ request }) => {
      asked.push(new URL(request.url).search);
      const parts = { treatment: 7, area: 2, wasted: 1 };
      const sums = { details: 10, quantity: 3, patient_days: 4, total: 1234.5, value: 2000 };
      const counted = Object.entries(parts).map(([name, details]) => [name, { details, quantity: 1 }]);
      return HttpResponse.json(aReport({ sums: { ...sums, parts: Object.fromEntries(counted) } }));
    }),
    http.post('/api/months', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ ...month, month: '2026-09' }, { status: 201 });
    }),
  );
  return { asked, sent };
}

const rows = () => screen.getAllByRole('row').map((one) => one.textContent);

it('lists months in progress, closed and not closed', async () => {
  serve();
  await render({ at: '/reports/months' }, supervisor);
  expect(await screen.findByRole('link', { name: 'Octubre de 2026' })).toHaveAttribute(
    'href',
    '/reports/months/118',
  );
  expect(rows().slice(1)).toEqual([
    'Noviembre de 2026 En curso',
    'Octubre de 2026 Versión 1 · 2 nov 2026, 09:14Supervisión$38.240,00−\u2060$310,00 (4 cambios)',
    'Septiembre de 2026 Sin cerrarCerrar mes',
  ]);
  expect(screen.getByRole('link', { name: 'Cierres de mes', current: 'page' })).toBeVisible();
});

it('shows the months of the area in the address', async () => {
  const { asked } = serve();
  await render({ at: '/reports/months?area=4&before=2024-12' }, supervisor);
  expect(await screen.findByRole('heading', { name: 'Quirófano' })).toBeVisible();
  expect(asked).toEqual(['?area_id=4&before=2024-12']);
});

it('shows the sums before it closes a month, and then opens it', async () => {
  const { asked, sent } = serve();
  const { router } = await render({ at: '/reports/months?area=4' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Cerrar mes: Septiembre de 2026' }));
  const dialog = await screen.findByRole('dialog', { name: '¿Cerrar este mes?' });
  expect(within(dialog).getByText('Septiembre de 2026 · Quirófano')).toBeVisible();
  expect(within(dialog).getByText('$1.234,50')).toBeVisible();
  expect(within(dialog).getByText('7 líneas')).toBeVisible();
  const scope = 'from=2026-09-01&to=2026-09-30&area_id=4&used_for=all';
  expect(asked.find((one) => one.includes('by=area'))).toContain(scope);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cerrar mes' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/reports/months/118'));
  expect(sent).toEqual([{ month: '2026-09', area_id: 4, turn: 1 }]);
});

it('closes nothing when the question is declined', async () => {
  const { sent } = serve();
  await render({ at: '/reports/months' }, supervisor);
  const button = await screen.findByRole('button', { name: /^Cerrar mes/ });
  await userEvent.click(button);
  await screen.findByRole('dialog');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(button).toHaveFocus());
  expect(sent).toEqual([]);
});

it('says who closed it meanwhile, and reads the list again', async () => {
  const { asked } = serve();
  const text = 'Ana Ruiz ya cerró este mes el 2 nov 2026, 09:14.';
  server.use(
    http.post('/api/months', () =>
      HttpResponse.json(
        { message: [text], errors: [{ field: 'turn', code: 'month.closed', message: text }] },
        { status: 422 },
      ),
    ),
  );
  await render({ at: '/reports/months' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: /^Cerrar mes/ }));
  const dialog = await screen.findByRole('dialog');
  asked.length = 0;
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cerrar mes' }));
  expect(await screen.findByText(text)).toBeVisible();
  await waitFor(() => expect(asked).toEqual(['']));
});

it('says what a month was, how it changed and what it is today', async () => {
  serve();
  await render({ at: '/reports/months/118' }, supervisor);
  const sentence =
    'Octubre de 2026 fue $38.240,00. Desde entonces cambió −\u2060$310,00: hoy el informe dice $37.930,00.';
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.getByText('1 edición, 1 anulación, 1 devolución')).toBeVisible();
  const changes = screen.getByRole('table', { name: 'Cambios desde el cierre' });
  expect(within(changes).getAllByRole('row')[1]).toHaveTextContent(
    /^Catéter 20G Anulada5 nov 2026, 10:02Lucía Paredes30 oct 2026hoja 7−\u20601−\u2060\$30,00$/,
  );
  expect(within(changes).getAllByRole('link', { name: 'Catéter 20G' })[0]).toHaveAttribute(
    'href',
    '/consumption-sheet-details/4410',
  );
  expect(screen.getByText('1 hoja · $2.140,00')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Ver el informe de hoy' })).toHaveAttribute(
    'href',
    '/reports/consumption?by=product&from=2026-10-01&to=2026-10-31',
  );
});

it.each([
  ['did not change', [], 'Octubre de 2026 fue $38.240,00 y no cambió desde entonces.'],
  [
    'has changes that add up to nothing',
    [change({ total: 0 })],
    'Octubre de 2026 fue $38.240,00. Desde entonces hubo cambios, pero el total es el mismo.',
  ],
])('says that a month %s', async (_, items, sentence) => {
  serve({ ...MONTH, changes: { count: items.length, total: 0, items } });
  await render({ at: '/reports/months/118' }, supervisor);
  expect(await screen.findByText(sentence)).toBeVisible();
});

it('says that only the first of very many changes are shown', async () => {
  serve({ ...MONTH, changes: { ...MONTH.changes, count: 1200 } });
  await render({ at: '/reports/months/118' }, supervisor);
  expect(await screen.findByText(/^Aquí están los primeros 4 de 1.200 cambios/)).toBeVisible();
  expect(screen.queryByText(/1 anulación/)).toBeNull();
});

it('does not offer to close a month again that did not change', async () => {
  serve({ ...MONTH, changes: { count: 0, total: 0, items: [] } });
  await render({ at: '/reports/months/118' }, supervisor);
  expect(await screen.findByRole('button', { name: 'Descargar Excel' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Cerrar otra vez' })).toBeNull();
});

it('closes a changed month again as the next version', async () => {
  const { sent } = serve();
  await render({ at: '/reports/months/118' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Cerrar otra vez' }));
  const dialog = await screen.findByRole('dialog', { name: '¿Cerrar otra vez este mes?' });
  expect(within(dialog).getByText(/quedan guardadas como versión 2/)).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cerrar otra vez' }));
  await waitFor(() => expect(sent).toEqual([{ month: '2026-10', turn: 2 }]));
});

it('links all versions, and only the last one is closed again', async () => {
  const later = { id: 131, turn: 2, at: '2026-11-09T09:00:00Z', total: 37930 };
  serve({ ...MONTH, versions: [...MONTH.versions, later] });
  await render({ at: '/reports/months/118' }, supervisor);
  const versions = await screen.findByRole('navigation', { name: 'Versiones' });
  const links = within(versions).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Versión 1: $38.240,00', '/reports/months/118'],
    ['Versión 2: $37.930,00', '/reports/months/131'],
  ]);
  expect(screen.queryByRole('button', { name: 'Cerrar otra vez' })).toBeNull();
});

it('shows the closed figures by what the user chooses', async () => {
  serve();
  await render({ at: '/reports/months/118' }, supervisor);
  const table = () => screen.getByRole('table', { name: 'Cifras cerradas' });
  await screen.findByRole('table', { name: 'Cifras cerradas' });
  expect(within(table()).getAllByRole('row')[1]).toHaveTextContent(
    'Suero 500 ml 77 · bolsa35$9.000,00$9.000,00',
  );
  await userEvent.click(screen.getByRole('radio', { name: 'Día' }));
  expect(within(table()).getAllByRole('row')[1]).toHaveTextContent('1 oct 2026 3$1.200,00$1.200,00');
  await userEvent.click(screen.getByRole('radio', { name: 'Área' }));
  expect(within(table()).getAllByRole('row')[1]).toHaveTextContent('Sin área 3$40,00$40,00');
});

it('downloads the PDF of the month', async () => {
  serve();
  const asked: string[] = [];
  URL.createObjectURL = () => 'blob:month';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  server.use(
    http.get('/api/months/118/:form', ({ request }) => {
      asked.push(new URL(request.url).pathname);
      return new HttpResponse(new Blob(['%PDF']), { headers: { 'Content-Type': 'application/pdf' } });
    }),
  );
  await render({ at: '/reports/months/118' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Descargar informe' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Descargar Excel' }));
  await waitFor(() => expect(asked).toEqual(['/api/months/118/pdf', '/api/months/118/xlsx']));
});

it('shows only a month to users who may not close one', async () => {
  const permissions = aSupervisor().permissions.filter((one) => one !== 'months.close');
  serve();
  await render({ at: '/reports/months' }, { user: aSupervisor({ permissions }) });
  expect(await screen.findByRole('link', { name: 'Octubre de 2026' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Cerrar mes/ })).toBeNull();
});

it.each(['/reports/months', '/reports/months/118'])('refuses %s to ward staff', async (at) => {
  const { asked } = serve();
  await render({ at }, { user: aNurse() });
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
  expect(asked).toEqual([]);
});

it('has no tab of months for ward staff', async () => {
  serve();
  await render({ at: '/reports/consumption' }, { user: aNurse() });
  expect(await screen.findByRole('combobox', { name: 'Agrupar por' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Cierres de mes' })).toBeNull();
});

it('says that months need the network', async () => {
  server.use(http.get('/api/months', () => HttpResponse.error()));
  await render({ at: '/reports/months' }, supervisor);
  expect(await screen.findByRole('heading', { name: 'Sin conexión' })).toBeVisible();
});
