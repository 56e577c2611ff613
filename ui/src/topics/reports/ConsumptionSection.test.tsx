import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ConsumptionPage } from '@/api/generated';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { aReport } from '@/test/reports';
import { server } from '@/test/server';

// The library warns because jsdom gives charts no size.
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}));

const supervisor = { user: aSupervisor() };
const period = { from: '2026-11-15', to: '2026-11-21' };

const reports: Record<string, ConsumptionPage> = {
  day: aReport({
    by: 'day',
    period,
    sums: { details: 9, quantity: 9, patient_days: 4, total: 250.3 },
    items: [
      { key: '2026-11-16', id: null, name: '2026-11-16', details: 4, quantity: 4, total: 50.1 },
      { key: '2026-11-20', id: null, name: '2026-11-20', details: 5, quantity: 5, total: 200.2 },
    ],
  }),
  area: aReport({
    by: 'area',
    period,
    sums: { details: 9, quantity: 9, patient_days: 4, total: 250.3 },
    items: [
      { key: '4', id: 4, name: 'Quirófano', details: 5, quantity: 5, total: 200.1 },
      { key: '', id: null, name: null, details: 2, quantity: 2, total: 30.1 },
    ],
    meta: { page: 1, limit: 8, total: 5, pages: 1 },
  }),
  product: aReport({
    by: 'product',
    period,
    sums: { details: 9, quantity: 9.5, patient_days: 4, total: 250.3 },
    items: [
      { key: '8', id: 8, name: 'Gasa', details: 9, quantity: 9.5, total: 250.3, code: 'G-1', unit: 'sobre' },
    ],
  }),
};

/** Serve the three reports, and remember the last request of each. */
function serve(answers = reports) {
  const asked: Record<string, URLSearchParams> = {};
  server.use(
    http.get('/api/reports/consumption', ({ request }) => {
      const { searchParams } = new URL(request.url);
      const by = searchParams.get('by') ?? '';
      asked[searchParams.get('format') === 'csv' ? 'csv' : by] = searchParams;
      return HttpResponse.json(answers[by]);
    }),
  );
  return asked;
}

const daysAsked = (asked: URLSearchParams | undefined) =>
  asked && (Date.parse(asked.get('to') ?? '') - Date.parse(asked.get('from') ?? '')) / 86_400_000 + 1;

it('shows consumption by day, area and product, with figures', async () => {
  const asked = serve();
  await render({ at: '/' }, supervisor);
  const time = within(await screen.findByRole('region', { name: 'Día por día' }));
  expect(await time.findByText('Total $250,30. El más alto: 20 nov, $200,20.')).toBeVisible();
  expect(await time.findByRole('img', { name: /El más alto: 20 nov/ })).toBeInTheDocument();
  const areas = within(screen.getByRole('region', { name: 'Por área' }));
  expect(areas.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    'Quirófano$200,10',
    'Sin área$30,10',
    // Two of five areas are shown; the sum of the others is exact to the cent.
    '3 más$20,10',
  ]);
  const products = within(screen.getByRole('region', { name: 'Por producto' }));
  expect(products.getAllByRole('listitem').map((row) => row.textContent)).toEqual(['Gasa$250,30']);
  expect(asked.product?.get('sort')).toBe('-total');
  expect(daysAsked(asked.day)).toBe(30);
});

it('switches a chart to its table, and exports it', async () => {
  const asked = serve();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => {};
  await render({ at: '/' }, supervisor);
  const products = within(await screen.findByRole('region', { name: 'Por producto' }));
  await products.findByText('Gasa');
  await userEvent.click(products.getByRole('button', { name: 'Ver tabla' }));
  const table = within(products.getByRole('table', { name: 'Por producto' }));
  expect(table.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'ProductoLíneasCantidadTotal',
    'Gasa99,5$250,30',
    'Total de 1 fila9$250,30',
  ]);
  await userEvent.click(products.getByRole('button', { name: 'Más acciones: Por producto' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Exportar a texto (CSV)' }));
  await waitFor(() => expect(asked.csv?.get('by')).toBe('product'));
  expect([asked.csv?.get('from'), asked.csv?.get('to')]).toEqual([period.from, period.to]);
  const areas = within(screen.getByRole('region', { name: 'Por área' }));
  await userEvent.click(areas.getByRole('button', { name: 'Ver tabla' }));
  // The hidden rows are one row, so that the column adds up to the cent.
  expect(areas.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'ÁreaLíneasTotal',
    'Quirófano5$200,10',
    'Sin área2$30,10',
    '3 más2$20,10',
    'Total de 5 filas9$250,30',
  ]);
  await userEvent.click(products.getByRole('button', { name: 'Ver gráfico' }));
  expect(products.queryByRole('table')).toBeNull();
});

it('keeps the number of days in the URL', async () => {
  const asked = serve();
  const { router } = await render({ at: '/?days=90' }, supervisor);
  expect(await screen.findByRole('radio', { name: '90 días' })).toBeChecked();
  await waitFor(() => expect(daysAsked(asked.area)).toBe(90));
  await userEvent.click(screen.getByRole('radio', { name: '7 días' }));
  expect(router.state.location.search).toBe('?days=7');
  await waitFor(() => expect(daysAsked(asked.area)).toBe(7));
  await userEvent.click(screen.getByRole('radio', { name: '30 días' }));
  expect(router.state.location.search).toBe('');
});

it('uses 30 days for an invalid number in the URL', async () => {
  const asked = serve();
  await render({ at: '/?days=4000' }, supervisor);
  expect(await screen.findByRole('radio', { name: '30 días' })).toBeChecked();
  expect(daysAsked(asked.day)).toBe(30);
});

it('links to the full report of the same days', async () => {
  const asked = serve();
  await render({ at: '/' }, supervisor);
  const whole = await screen.findByRole('link', { name: 'Informe completo' });
  expect(whole).toHaveAttribute(
    'href',
    `/reports/consumption?for=patients&from=${asked.day?.get('from')}&to=${asked.day?.get('to')}`,
  );
});

it('says that nothing was consumed', async () => {
  const nothing = Object.fromEntries(
    Object.entries(reports).map(([by, report]) => [by, aReport({ by: report.by })]),
  );
  serve(nothing);
  await render({ at: '/' }, supervisor);
  expect(await screen.findAllByText('Sin consumo en estos días.')).toHaveLength(3);
});
