import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { anAreaSheet } from '@/test/area';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';
import { aWard, aWardRoom, aWardSheet } from '@/test/wardBoard';

const nurse = { user: aNurse() };
const supervisor = { user: aSupervisor() };

/** The board in one line. */
const summary = () => screen.findByRole('region', { name: 'Hoy' });

it('sums up the board without prices, and leads to the report', async () => {
  const quiet = aWardSheet({ id: 6, lines_today: 0, mine: true, discharge_proposed: true });
  server.use(
    http.get('/api/ward', () =>
      HttpResponse.json(
        aWard({
          rooms: [
            aWardRoom({ sheets: [aWardSheet({ lines_today: 1040 }), quiet] }),
            aWardRoom({ id: 6, name: '202', status: 1 }),
            aWardRoom({ id: 7, name: '203', status: 4 }),
          ],
        }),
      ),
    ),
  );
  await render({ at: '/' }, nurse);
  await waitFor(async () =>
    expect(await summary()).toHaveTextContent(
      /^2 pacientes ?1.040 líneas hoy ?1 cama libre ?1 con líneas suyas ?1 alta por cerrar ?1 sin nada hoy$/,
    ),
  );
  expect(screen.queryByRole('heading', { name: 'Consumo' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Informe de consumo' })).toHaveAttribute(
    'href',
    '/reports/consumption',
  );
});

it('narrows the board to what needs attention, and back', async () => {
  const quiet = aWardSheet({ id: 6, lines_today: 0 });
  server.use(
    http.get('/api/ward', () =>
      HttpResponse.json(
        aWard({ rooms: [aWardRoom({ sheets: [aWardSheet(), quiet] }), aWardRoom({ id: 6, name: '202' })] }),
      ),
    ),
  );
  const { router } = await render({ at: '/' }, nurse);
  const shown = () => screen.getAllByRole('listitem').map((one) => within(one).getByRole('link'));
  const chip = within(await summary()).findByRole('button', { name: '1 sin nada hoy', pressed: false });
  await userEvent.click(await chip);
  expect(shown().map((link) => link.getAttribute('href'))).toEqual([
    '/consumption-sheet-details/6/consumption-details',
  ]);
  expect(router.state.location.search).toBe('?show=quiet');
  expect(screen.getByText('Se muestra 1 paciente')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: '1 sin nada hoy', pressed: true }));
  expect(shown()).toHaveLength(3);
});

it('shows consumption below the beds to users who see prices', async () => {
  await render({ at: '/' }, supervisor);
  expect(await screen.findByRole('heading', { name: 'Consumo' })).toBeVisible();
});

it('links to the worklist with its number, for supervisors', async () => {
  server.use(http.get('/api/worklist/count', () => HttpResponse.json({ count: 7 })));
  await render({ at: '/' }, supervisor);
  expect(await screen.findByRole('link', { name: 'Por atender: 7' })).toHaveAttribute('href', '/worklist');
  expect(screen.getByRole('link', { name: 'Por atender 7' })).toHaveAttribute('href', '/worklist');
});

it('asks nothing about a worklist for ward staff', async () => {
  let asked = 0;
  server.use(
    http.get('/api/worklist/count', () => {
      asked += 1;
      return HttpResponse.json({ count: 7 });
    }),
  );
  await render({ at: '/' }, nurse);
  expect(await screen.findByRole('link', { name: /^201-A/ })).toBeVisible();
  expect(screen.queryByRole('link', { name: /Por atender/ })).toBeNull();
  expect(asked).toBe(0);
});

it('opens the only matching sheet by keyboard', async () => {
  let asked = '';
  server.use(
    http.get('/api/consumption-sheets', ({ request }) => {
      asked = new URL(request.url).searchParams.get('q') ?? '';
      const exact = asked === 'quispe' ? { exact: 9 } : {};
      return HttpResponse.json({ ...aPage(asked ? [aSheet({ id: 9 })] : []), ...exact });
    }),
    http.get('/api/consumption-sheets/9', () => HttpResponse.json(aSheet({ id: 9 }))),
    http.get('/api/consumption-sheets/9/usual-products', () => HttpResponse.json({ items: [] })),
    http.get('/api/consumption-sheets/9/*', () => HttpResponse.json(aPage([]))),
  );
  const { router } = await render({ at: '/' }, nurse);
  const field = await screen.findByLabelText('Buscar una hoja abierta');
  await userEvent.type(field, 'quis{Enter}');
  await waitFor(() =>
    expect(router.state.location.pathname).toBe('/consumption-sheet-details/9/consumption-details'),
  );
});

it('opens a sheet, if permitted', async () => {
  await render({ at: '/' }, nurse);
  expect(await screen.findByRole('link', { name: 'Nueva hoja' })).toHaveAttribute(
    'href',
    '/consumption-sheets/create',
  );
});

it('is not marked as the list of sheets in the navigation', async () => {
  server.use(http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))));
  const { router } = await render({ at: '/' }, nurse);
  const sheets = await screen.findByRole('link', { name: 'Hojas de consumo' });
  expect(sheets).not.toHaveAttribute('aria-current');
  await userEvent.click(sheets);
  await waitFor(() => expect(router.state.location.pathname).toBe('/consumption-sheets'));
  await waitFor(() => expect(sheets).toHaveAttribute('aria-current', 'page'));
  await userEvent.click(screen.getByRole('link', { name: /Ir al inicio$/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
});

function serveNothing({ areas = 0 } = {}) {
  server.use(
    http.get('/api/ward', () => HttpResponse.json(aWard({ areas: [], rooms: [] }))),
    http.get('/api/areas', () => HttpResponse.json(aPage([], { total: areas }))),
    http.get('/api/rooms', () => HttpResponse.json(aPage([]))),
    http.get('/api/products', () => HttpResponse.json(aPage([]))),
  );
}

it('lists the first steps of a new hospital, with finished ones', async () => {
  serveNothing({ areas: 2 });
  await render({ at: '/' }, supervisor);
  const steps = within(await screen.findByRole('region', { name: 'Antes de la primera hoja' }));
  expect(steps.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
    'Áreas del hospitallisto',
    'Habitaciones de cada área',
    'Productos con precio',
  ]);
  expect(steps.getByRole('link', { name: 'Habitaciones de cada área' })).toHaveAttribute(
    'href',
    '/rooms/create',
  );
  expect(steps.queryByRole('link', { name: 'Áreas del hospital' })).toBeNull();
  // Empty figures and an action that is not possible yet would only distract.
  expect(screen.queryByRole('region', { name: 'Hoy' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Nueva hoja' })).toBeNull();
});

it('refers ward staff of a new hospital to the supervisor', async () => {
  serveNothing();
  await render({ at: '/' }, nurse);
  const steps = within(await screen.findByRole('region', { name: 'Antes de la primera hoja' }));
  expect(steps.getByText(/Un supervisor debe agregar lo que falta/)).toBeVisible();
  expect(steps.queryByRole('link')).toBeNull();
});

it('shows no first steps if only sheets are missing', async () => {
  server.use(
    http.get('/api/ward', () => HttpResponse.json(aWard({ rooms: [aWardRoom()] }))),
    ...['areas', 'rooms', 'products'].map((list) =>
      http.get(`/api/${list}`, () => HttpResponse.json(aPage([], { total: 3 }))),
    ),
  );
  await render({ at: '/' }, nurse);
  expect(await screen.findByText(/No hay hojas abiertas\. Abra una/)).toBeVisible();
  expect(screen.queryByText('Antes de la primera hoja')).toBeNull();
});

it('shows a failure on the error page', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {}); // React reports what the error page catches
  server.use(http.get('/api/ward', () => HttpResponse.json({ message: 'No disk' }, { status: 500 })));
  await render({ at: '/' }, nurse);
  expect(await screen.findByText('No disk')).toBeVisible();
});

it('leads by a key to what the area uses for no patient', async () => {
  const ward = { area: { id: 2, name: 'UCI' } };
  server.use(
    http.get('/api/ward', () => HttpResponse.json(aWard())),
    http.post('/api/areas/2/sheet', () => HttpResponse.json(anAreaSheet())),
    http.get('/api/area-sheets/1', () => HttpResponse.json(anAreaSheet())),
  );
  const { router } = await render({ at: '/' }, { user: { ...aNurse(), ward } });
  const link = await screen.findByRole('link', { name: 'Gasto del área' });
  expect(link).toHaveAttribute('href', '/consumption-sheets/areas/2');
  document.getElementById('content')?.focus();
  await userEvent.keyboard('g');
  await waitFor(() => expect(router.state.location.pathname).toBe('/consumption-sheets/areas/2'));
});
