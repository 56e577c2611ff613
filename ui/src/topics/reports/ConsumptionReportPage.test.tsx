import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ConsumptionPage, ConsumptionRowView } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { aReport } from '@/test/reports';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const nurse = { user: aNurse() };
const supervisor = { user: aSupervisor() };
// The library warns because jsdom gives charts no size.
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}));

const AT = '/reports/consumption';

/** Serve a report, and collect the requests. */
function serve(answer: ConsumptionPage | ((asked: URLSearchParams) => ConsumptionPage)) {
  const asked: string[] = [];
  server.use(
    http.get('/api/reports/consumption', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(String(searchParams));
      return HttpResponse.json(typeof answer === 'function' ? answer(searchParams) : answer);
    }),
    http.get('/api/areas', () => HttpResponse.json(aPage([{ id: 4, name: 'Quirófano' }]))),
    http.get('/api/areas/4', () => HttpResponse.json({ id: 4, name: 'Quirófano' })),
  );
  return asked;
}

const row = (change: Partial<ConsumptionRowView>): ConsumptionRowView => ({
  key: '4',
  id: 4,
  name: 'Quirófano',
  details: 3,
  quantity: 4.5,
  total: 75.5,
  ...change,
});
const byArea = aReport({
  by: 'area',
  sums: { details: 12, quantity: 20, patient_days: 4, total: 302 },
  items: [row({}), row({ key: '', id: null, name: null, details: 9, total: 226.5 })],
});

const rows = () => screen.getAllByRole('row').map((one) => one.textContent);

it('defaults to the last 30 days, by day', async () => {
  const asked = serve(
    aReport({
      sums: { details: 2, quantity: 2, patient_days: 4, total: 25 },
      items: [row({ key: '2026-11-21', id: null, name: '2026-11-21', details: 2, total: 25 })],
    }),
  );
  await render({ at: `${AT}?for=patients` }, supervisor);
  expect(await screen.findByRole('link', { name: '21 nov 2026' })).toBeVisible();
  expect(rows()).toEqual(['DíaLíneasTotal', '21 nov 2026 2$25,00', 'Total de 1 fila2$25,00']);
  expect(asked[0]).toBe('by=day&used_for=patients&page=1&limit=50');
  await userEvent.click(screen.getByRole('button', { name: 'Fechas' }));
  expect(await screen.findByLabelText('Desde')).toHaveValue('23/10/2026');
  expect(screen.getByLabelText('Hasta')).toHaveValue('21/11/2026');
  expect(await screen.findByRole('img', { name: /El más alto: 21 nov, \$25,00/ })).toBeInTheDocument();
});

it('reads grouping, days, area, order and page from the URL', async () => {
  const asked = serve({ ...byArea, meta: { page: 2, limit: 50, total: 52, pages: 2 } });
  await render(
    { at: `${AT}?by=area&for=patients&from=2026-01-01&to=2026-02-01&area=4&sort=-details&page=2` },
    supervisor,
  );
  expect(await screen.findByText('Página 2 de 2')).toBeVisible();
  expect(asked).toEqual([
    'by=area&from=2026-01-01&to=2026-02-01&area_id=4&used_for=patients&page=2&limit=50&sort=-details',
  ]);
  expect(screen.getByLabelText('Agrupar por')).toHaveValue('area');
  expect(screen.getByRole('button', { name: 'Área: Quirófano' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Fechas: 1 ene 2026 – 1 feb 2026' })).toBeVisible();
  expect(rows()).toEqual([
    'ÁreaLíneasTotalParte',
    'Quirófano 3$75,5025%',
    'Sin área 9$226,5075%',
    'Total de 52 filas12$302,00',
  ]);
});

it('reports returns instead, if chosen', async () => {
  const asked = serve(byArea);
  const { router } = await render({ at: `${AT}?by=area` }, supervisor);
  await userEvent.selectOptions(await screen.findByLabelText('Qué'), 'Devuelto');
  expect(router.state.location.search).toBe('?by=area&what=returns');
  expect(await screen.findByRole('table', { name: 'Informe de devoluciones' })).toBeVisible();
  expect(asked.at(-1)).toBe('by=area&returns=true&used_for=all&page=1&limit=50');
});

it('writes the choices into the URL', async () => {
  serve(byArea);
  const { router } = await render({ at: `${AT}?by=area&sort=name&page=2` }, supervisor);
  await userEvent.selectOptions(await screen.findByLabelText('Agrupar por'), 'Por producto');
  expect(router.state.location.search).toBe('?by=product');
  await userEvent.click(screen.getByRole('radio', { name: '7 días' }));
  const days = new URLSearchParams(router.state.location.search);
  expect(Date.parse(days.get('to') ?? '') - Date.parse(days.get('from') ?? '')).toBe(6 * 86_400_000);
});

it.each<[string, Partial<ConsumptionRowView>, string, string]>([
  ['day', { key: '2026-11-21', id: null }, '21 nov 2026', '?by=product&from=2026-11-21&to=2026-11-21'],
  ['month', { key: '2026-02', id: null }, 'febrero de 2026', '?by=day&from=2026-02-01&to=2026-02-28'],
  ['area', {}, 'Quirófano', '?by=product&area=4'],
  ['product', { name: 'Gasa', code: 'G-1', unit: 'sobre' }, 'Gasa', '/products/4'],
  ['patient', { name: 'Ana Ríos', record_number: 'HC-1' }, 'Ana Ríos', '/patients/4'],
  ['staff', { name: 'Luz Gil' }, 'Luz Gil', '/staff/4'],
])('links onwards from a row by %s', async (by, change, name, href) => {
  serve(aReport({ by: by as ConsumptionPage['by'], items: [row(change)] }));
  await render({ at: `${AT}?by=${by}` }, supervisor);
  const link = await screen.findByRole('link', { name });
  expect(link.getAttribute('href')).toContain(href);
  const notes = { product: 'G-1 · sobre', patient: 'HC-1' }[by];
  if (notes) expect(link.parentElement).toHaveTextContent(notes);
});

it('has no prices and no grouping by staff for ward staff', async () => {
  const asked = serve({
    ...byArea,
    sums: { details: 12, quantity: 20, patient_days: 4 },
    items: byArea.items.map(({ total, ...others }) => others),
  });
  await render({ at: `${AT}?by=area&for=patients&sort=-total` }, nurse);
  await screen.findByText('Quirófano');
  expect(rows()).toEqual(['ÁreaLíneasParte', 'Quirófano 325%', 'Sin área 975%', 'Total de 2 filas12']);
  expect(asked).toEqual(['by=area&used_for=patients&page=1&limit=50']);
  expect(
    within(screen.getByLabelText('Agrupar por')).queryByRole('option', { name: 'Por personal' }),
  ).toBeNull();
});

it('ignores a grouping by staff in a link for ward staff', async () => {
  const asked = serve(aReport());
  await render({ at: `${AT}?by=staff` }, nurse);
  expect(await screen.findByText('No hay consumo en este período')).toBeVisible();
  expect(asked.every((one) => one.startsWith('by=day'))).toBe(true);
});

it('charts a long period by month, and none if even that is long', async () => {
  let to = '2026-11-21';
  const asked = serve((search) =>
    aReport({
      by: search.get('by') as 'day' | 'month',
      period: { from: '2026-01-01', to },
      sums: { details: 1, quantity: 1, patient_days: 4, total: 9 },
      items: [
        search.get('by') === 'month'
          ? row({ key: '2026-03', id: null, total: 9 })
          : row({ key: '2026-03-05', id: null, total: 9 }),
      ],
    }),
  );
  await render({ at: `${AT}?from=2026-01-01&to=${to}` }, supervisor);
  expect(await screen.findByText(/El más alto: marzo de 2026/)).toBeVisible();
  expect(asked.at(-1)).toBe('by=month&from=2026-01-01&to=2026-11-21&used_for=all&limit=100&sort=key');
  to = '2090-11-21';
  await userEvent.click(screen.getByRole('link', { name: 'Total' }));
  expect(await screen.findByText(/demasiado largo para un gráfico/)).toBeVisible();
});

it('exports the report with its filters', async () => {
  const asked = serve(byArea);
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  await render({ at: `${AT}?by=area&area=4&from=2026-01-01` }, supervisor);
  await screen.findByText('Sin área');
  await userEvent.click(screen.getByRole('button', { name: 'Más acciones' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Exportar a texto (CSV)' }));
  await waitFor(() => expect(asked.at(-1)).toBe('by=area&from=2026-01-01&area_id=4&used_for=all&format=csv'));
  await userEvent.click(screen.getByRole('button', { name: 'Descargar informe' }));
  await waitFor(() => expect(asked.at(-1)).toBe('by=area&from=2026-01-01&area_id=4&used_for=all&format=pdf'));
});

it('compares with the period before, and leads from a row to its lines', async () => {
  const before = { details: 2, quantity: 3, total: 50 };
  const asked = serve({
    ...byArea,
    previous_period: { from: '2026-09-23', to: '2026-10-22' },
    sums: { ...byArea.sums, patient_days: 4, previous: { ...before, patient_days: 0 } },
    items: [
      row({ previous: before }),
      row({ key: '9', id: 9, name: 'Sala', details: 9, previous: { details: 0, quantity: 0, total: 0 } }),
    ],
  });
  const { router } = await render({ at: `${AT}?by=area&for=patients` }, supervisor);
  await userEvent.click(await screen.findByRole('switch', { name: 'Comparar' }));
  expect(router.state.location.search).toBe('?by=area&for=patients&compare=previous');
  await waitFor(() => expect(asked.at(-1)).toContain('compare=previous'));
  expect(await screen.findByRole('columnheader', { name: 'Antes' })).toBeVisible();
  expect(rows()).toEqual([
    'ÁreaLíneasTotalAntesCambioParte',
    'Quirófano 3$75,50$50,00+51%25%',
    'Sala 9$75,50$0,00—25%',
    'Total de 2 filas12$302,00$50,00+504%',
  ]);
  expect(screen.getByText('4 días-paciente · $75,50 por día-paciente')).toBeVisible();
  expect(screen.getByRole('link', { name: '3 líneas de Quirófano' })).toHaveAttribute(
    'href',
    '/consumption-sheet-details?from=2026-10-23&to=2026-11-21&area=4',
  );
});

const part = (details: number, quantity: number) => ({ details, quantity, total: 0 });
const parts = { treatment: { details: 2, quantity: 4, total: 50 }, area: part(1, 6), wasted: part(0, 0) };
const used = aReport({
  by: 'product',
  sums: { details: 3, quantity: 10, total: 50, value: 125, parts, patient_days: 5 },
  items: [row({ name: 'Gasa', quantity: 10, total: 50, value: 125, parts })],
});

it('opens with all that was used, and its parts', async () => {
  const asked = serve(used);
  const { router } = await render({ at: `${AT}?by=product&sort=-value` }, supervisor);
  expect(await screen.findByRole('radio', { name: 'Todo' })).toBeChecked();
  await screen.findByText('Gasa');
  expect(asked).toEqual(['by=product&used_for=all&page=1&limit=50&sort=-value']);
  expect(rows()).toEqual([
    'ProductoLíneasCantidadTratamientoGasto del áreaDesechadoTotalValor',
    'Gasa 310460$50,00$125,00',
    'Total de 1 fila3$50,00$125,00',
  ]);
  expect(screen.getByText('5 días-paciente · $25,00 por día-paciente')).toBeVisible();
  expect(screen.getByRole('link', { name: '3 líneas de Gasa' })).toHaveAttribute(
    'href',
    '/consumption-sheet-details?from=2026-10-23&to=2026-11-21&for=all&product=4',
  );
  await userEvent.click(screen.getByText('Área', { selector: '[class*=SegmentedControl] *' }));
  // A report of an area has no total, and one of patients no value.
  expect(router.state.location.search).toBe('?by=product&for=area');
  expect(await screen.findByRole('columnheader', { name: 'Valor' })).toBeVisible();
  expect(screen.queryByRole('columnheader', { name: 'Total' })).toBeNull();
  expect(asked.at(-1)).toBe('by=product&used_for=area&page=1&limit=50');
});

it('names the reasons, and leads to the lines with one', async () => {
  serve(
    aReport({
      by: 'use_reason',
      items: [row({ key: '', id: null, name: null }), row({ key: 'dropped', id: null, name: 'dropped' })],
    }),
  );
  await render({ at: `${AT}?by=use_reason` }, supervisor);
  expect(await screen.findByText('Tratamiento', { selector: 'td *' })).toBeVisible();
  expect(screen.getByRole('link', { name: '3 líneas de Caído o contaminado' })).toHaveAttribute(
    'href',
    '/consumption-sheet-details?from=2026-10-23&to=2026-11-21&for=all&use_reason=dropped',
  );
});
