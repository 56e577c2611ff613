import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

/** Serve the list, and remember the last query. */
function serveSheets(answer: object | ((page: number) => object)) {
  const asked = { query: '' };
  server.use(
    http.get('/api/consumption-sheets', ({ request }) => {
      const url = new URL(request.url);
      asked.query = url.search;
      return HttpResponse.json(
        typeof answer === 'function' ? answer(Number(url.searchParams.get('page'))) : answer,
      );
    }),
  );
  return asked;
}

it('shows patient, room, admission, and total with permission', async () => {
  serveSheets(aPage([aSheet()]));
  await render({ at: '/consumption-sheets' }, { user: aSupervisor() });
  const row = await screen.findByRole('row', { name: /María Quispe Mamani/ });
  expect(row).toHaveTextContent('201-A');
  expect(row).toHaveTextContent('Dra. Paula Cisneros');
  expect(row).toHaveTextContent('20 nov');
  expect(row).toHaveTextContent('$1.234,50');
  expect(screen.getByRole('link', { name: 'María Quispe Mamani' })).toHaveAttribute(
    'href',
    '/consumption-sheet-details/1/consumption-details',
  );
});

it('has no total without permission for prices', async () => {
  serveSheets(aPage([aSheet({ total: undefined })]));
  await render({ at: '/consumption-sheets' }, { user: aNurse() });
  await screen.findByRole('row', { name: /María/ });
  expect(screen.queryByRole('columnheader', { name: 'Total' })).toBeNull();
});

it('reads page, order and search from the URL', async () => {
  const asked = serveSheets(aPage([aSheet()], { page: 2, total: 57 }));
  await render({ at: '/consumption-sheets?page=2&sort=-doctor&q=quispe' }, { user: aNurse() });
  expect(await screen.findByText('Página 2 de 3')).toBeVisible();
  expect(screen.getByText('26–50 de 57')).toBeVisible();
  expect(asked.query).toBe('?page=2&sort=-doctor&q=quispe');
  expect(screen.getByRole('columnheader', { name: 'Médico' })).toHaveAttribute('aria-sort', 'descending');
  expect(screen.getByRole('searchbox')).toHaveValue('quispe');
});

it('writes search, order and page into the URL', async () => {
  serveSheets(aPage([aSheet()], { total: 57 }));
  const { router } = await render({ at: '/consumption-sheets?page=2' }, { user: aNurse() });
  await userEvent.type(await screen.findByRole('searchbox'), 'paz');
  await waitFor(() => expect(router.state.location.search).toBe('?q=paz'));
  const byPatient = screen.getByRole('link', { name: 'Paciente' });
  await waitFor(() => expect(byPatient).toHaveAttribute('href', expect.stringContaining('q=paz')));
  await userEvent.click(byPatient);
  expect(router.state.location.search).toBe('?q=paz&sort=patient');
  await userEvent.click(screen.getByRole('link', { name: 'Página siguiente' }));
  expect(router.state.location.search).toBe('?q=paz&sort=patient&page=2');
});

it('drops an order by a hidden column, and a missing page', async () => {
  const asked = serveSheets((page) => aPage(page === 9 ? [] : [aSheet()], { page, total: 57 }));
  const { router } = await render({ at: '/consumption-sheets?page=9&sort=-total' }, { user: aNurse() });
  await waitFor(() => expect(router.state.location.search).toBe('?sort=-total&page=3'));
  await waitFor(() => expect(asked.query).toBe('?page=3&sort=room'));
});

it('shows an empty state without sheets', async () => {
  serveSheets(aPage([]));
  await render({ at: '/consumption-sheets' }, { user: aNurse() });
  expect(await screen.findByText('No hay hojas de consumo abiertas')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Nueva hoja' })).toHaveAttribute(
    'href',
    '/consumption-sheets/create',
  );
});

it('says that a search found nothing', async () => {
  serveSheets(aPage([]));
  await render({ at: '/consumption-sheets?q=zzz' }, { user: aNurse(), language: 'en' });
  expect(await screen.findByText('No data found')).toBeVisible();
});

it('shows a failure on the error page, with its text', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {}); // React reports what the error page catches
  server.use(
    http.get('/api/consumption-sheets', () => HttpResponse.json({ message: 'No disk' }, { status: 500 })),
  );
  await render({ at: '/consumption-sheets' }, { user: aNurse(), language: 'en' });
  expect(await screen.findByText('Oops!')).toBeVisible();
  expect(screen.getByText('Sorry, an unexpected error has occurred.')).toBeVisible();
  expect(screen.getByText('No disk')).toBeVisible();
});

const two = () => aPage([aSheet(), aSheet({ id: 2, patient: { ...aSheet().patient, name: 'Luz' } })]);

it('asks for the order of the ward, unless it searches', async () => {
  const asked = serveSheets(two());
  await render({ at: '/consumption-sheets' }, { user: aNurse() });
  await screen.findByRole('row', { name: /María/ });
  expect(asked.query).toBe('?page=1&sort=room');
  expect(screen.getByRole('columnheader', { name: 'Habitación' })).toHaveAttribute('aria-sort', 'ascending');
  await userEvent.type(screen.getByRole('searchbox'), 'luz');
  await waitFor(() => expect(asked.query).toBe('?page=1&q=luz'));
});

it('shows the lines of today and when the last one was recorded', async () => {
  vi.setSystemTime('2026-11-22T18:00:00Z');
  const day = (of: string, details: number, last: string) => ({
    created_at: `${of}T15:00:00Z`,
    details,
    last_recorded_at: `${of}T${last}:00Z`,
  });
  serveSheets(
    aPage([
      aSheet({ consumptions: [day('2026-11-21', 9, '20:00'), day('2026-11-22', 3, '17:35')] }),
      aSheet({
        id: 2,
        patient: { ...aSheet().patient, name: 'Luz', record_number: 'EXP-7', date_of_birth: '1950-01-02' },
        consumptions: [day('2026-11-21', 9, '20:00')],
        discharge_proposed_at: '2026-11-22T08:00:00Z',
      }),
    ]),
  );
  await render({ at: '/consumption-sheets' }, { user: aNurse() });
  expect(await screen.findByRole('row', { name: /María/ })).toHaveTextContent(/2 días.*3.*hace 25 min/);
  const quiet = screen.getByRole('row', { name: /Luz/ });
  expect(quiet).toHaveTextContent('76 años · EXP-7');
  expect(quiet).toHaveTextContent(/Nada hoy.*Alta propuesta.*última ayer, 20:00/);
  vi.useRealTimers();
});

it('has everything else in the menu of the row', async () => {
  serveSheets(two());
  const { router } = await render({ at: '/consumption-sheets?q=quispe' }, { user: aSupervisor() });
  await userEvent.click(await screen.findByRole('button', { name: 'Más acciones: Luz Quispe Mamani' }));
  expect(await screen.findByRole('menuitem', { name: 'Ver paciente' })).toHaveAttribute(
    'href',
    '/patients/11',
  );
  await userEvent.click(screen.getByRole('menuitem', { name: 'Editar hoja' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/consumption-sheets/2/edit'));
  expect(router.state.location.state).toEqual({ from: '/consumption-sheets?q=quispe' });
});
