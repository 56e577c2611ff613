import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { Meta, SheetView } from '@/api/generated';
import { aPatient } from '@/test/patients';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

function serve(sheets: SheetView[], meta: Partial<Meta> = {}) {
  const asked = { query: '' };
  server.use(
    http.get('/api/consumption-sheets', ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      asked.query = search;
      const page = aPage(sheets, { page: Number(searchParams.get('page')) });
      return HttpResponse.json({ ...page, meta: { ...page.meta, ...meta } });
    }),
  );
  return asked;
}

const on = (...days: string[]) => days.map((day) => ({ created_at: `${day}T15:00:00Z`, details: 2 }));
const closed = (change: Partial<SheetView> = {}) =>
  aSheet({ closed: true, deleted_at: '2026-11-21T18:05:00Z', ...change });

it('shows patient, closing, days of consumption and total', async () => {
  const asked = serve([closed({ consumptions: on('2026-11-12', '2026-11-13', '2026-11-15') })]);
  await render({ at: '/consumption-sheets/closed' }, { user: aSupervisor() });
  const row = await screen.findByRole('row', { name: /María Quispe Mamani/ });
  expect(asked.query).toBe('?closed=true&page=1');
  expect(row).toHaveTextContent('21 nov 2026 18:05');
  expect(row).toHaveTextContent('3 días 12, 13 y 15 nov');
  expect(row).toHaveTextContent('$1.234,50');
  expect(screen.getByRole('link', { name: 'María Quispe Mamani' })).toHaveAttribute(
    'href',
    '/consumption-sheets/closed/1',
  );
});

it('shows many days as an expandable span, in hospital time', async () => {
  server.use(
    http.get('/api/settings', () => HttpResponse.json({ currency: 'USD', time_zone: 'America/Guayaquil' })),
  );
  serve([
    closed({
      consumptions: [
        { created_at: '2026-10-31T02:00:00Z', details: 1 },
        ...on('2026-10-31', '2026-11-01', '2026-11-02', '2026-11-04'),
      ],
    }),
  ]);
  await render({ at: '/consumption-sheets/closed' }, { user: aNurse(), language: 'en' });
  expect(await screen.findByText('5 days')).toBeVisible();
  expect(screen.getByText(/^Oct 30 – Nov 4$/)).toBeVisible();
  expect(screen.getByText(/Oct 30 and 31; Nov 1, 2, and 4/)).toBeInTheDocument();
});

it('shows and sorts by total only with permission for prices', async () => {
  const asked = serve([closed({ total: undefined })]);
  await render({ at: '/consumption-sheets/closed?sort=-total' }, { user: aNurse() });
  await screen.findByRole('row', { name: /María/ });
  expect(screen.queryByRole('columnheader', { name: 'Total' })).toBeNull();
  expect(asked.query).not.toContain('sort');
});

it('filters by day of closing, and keeps that in the URL', async () => {
  const asked = serve([closed()]);
  const { router } = await render(
    { at: '/consumption-sheets/closed?page=3&to=2026-11-30&q=paz' },
    { user: aNurse() },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Cerradas: hasta 30 nov 2026' }));
  expect(await screen.findByLabelText('Cerradas hasta')).toHaveValue('30/11/2026');
  await userEvent.type(screen.getByLabelText('Cerradas desde'), '01/11/2026');
  await userEvent.tab();
  await waitFor(() => expect(asked.query).toContain('from=2026-11-01&to=2026-11-30'));
  expect(router.state.location.search).toBe('?to=2026-11-30&q=paz&from=2026-11-01');
});

it('pages through more than 10,000 sheets with a cursor', async () => {
  const asked = serve(
    Array.from({ length: 25 }, (_, at) => closed({ id: at + 1 })),
    {
      total: 10_000,
      pages: 400,
      total_is_lower_bound: true,
      next: 'abc',
    },
  );
  const { router } = await render({ at: '/consumption-sheets/closed?page=400' }, { user: aNurse() });
  expect(await screen.findByText('9.976–10.000 de más de 10.000')).toBeVisible();
  await userEvent.click(screen.getByRole('link', { name: 'Página siguiente' }));
  expect(router.state.location.search).toBe('?page=401&cursor=abc');
  expect(await screen.findByText('Página 401')).toBeVisible();
  expect(screen.getByText('10.001–10.025 de más de 10.000')).toBeVisible();
  expect(asked.query).toBe('?closed=true&page=401&cursor=abc');
  await userEvent.click(screen.getByRole('link', { name: 'Página anterior' }));
  expect(router.state.location.search).toBe('?page=400');
});

it('shows an empty state without sheets', async () => {
  serve([]);
  await render({ at: '/consumption-sheets/closed' }, { user: aNurse() });
  expect(await screen.findByText('No hay hojas de consumo cerradas')).toBeVisible();
});

it('filters by the patient in the URL, and can show all again', async () => {
  const asked = serve([closed()]);
  server.use(http.get('/api/patients/11', () => HttpResponse.json(aPatient())));
  const { router } = await render({ at: '/consumption-sheets/closed?patient=11' }, { user: aNurse() });
  const filter = await screen.findByRole('button', { name: 'Quitar el filtro: María Quispe Mamani' });
  expect(asked.query).toBe('?closed=true&patient_id=11&page=1');
  await userEvent.click(filter);
  await waitFor(() => expect(asked.query).toBe('?closed=true&page=1'));
  expect(router.state.location.search).toBe('');
});
