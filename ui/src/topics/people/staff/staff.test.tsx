import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { StaffView } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const supervisor = { user: aSupervisor() };

const lucia: StaffView = {
  id: 7,
  name: 'Lucía',
  first_surname: 'Paredes',
  second_surname: 'Soto',
  telephone_number: '55 5555 0103',
  job_title: 'Enfermera general',
  date_of_birth: '1990-02-03',
  user_id: 3,
};

/** Serve the staff, and collect the requests. */
function serve(...staff: StaffView[]) {
  const asked: string[] = [];
  const sent: { method: string; body: unknown }[] = [];
  const [one = lucia] = staff;
  const note = async (request: Request) =>
    sent.push({ method: request.method, body: JSON.parse((await request.text()) || 'null') });
  server.use(
    http.get('/api/staff', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(aPage(staff));
    }),
    http.get('/api/staff/7', () => HttpResponse.json(one)),
    http.get('/api/consumption-details', ({ request }) => {
      asked.push(new URL(request.url).search);
      const line = {
        id: 31,
        product: { id: 8, name: 'Gasa' },
        quantity: 2,
        consumption_sheet_id: 71,
        created_at: '2026-11-20T10:20:00Z',
        area: null,
        staff: null,
      };
      return HttpResponse.json(aPage([line], { total: 40 }));
    }),
    http.get('/api/users/3', () =>
      HttpResponse.json({ id: 3, email: 'lucia@consumo.test', role: '1', staff_id: 7, profile: one }),
    ),
    http.post('/api/staff', async ({ request }) => {
      await note(request);
      return HttpResponse.json(one, { status: 201 });
    }),
    http.put('/api/staff/7', async ({ request }) => {
      await note(request);
      return HttpResponse.json(one);
    }),
    http.delete('/api/staff/7', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return { asked, sent };
}

it('lists the staff, and filters those without an account', async () => {
  const { asked } = serve(lucia, { ...lucia, id: 8, name: 'Óscar', user_id: null });
  const { router } = await render({ at: '/staff' }, supervisor);
  const row = await screen.findByRole('row', { name: /Lucía Paredes Soto/ });
  expect(row).toHaveTextContent('Enfermera general');
  expect(row).toHaveTextContent('55 5555 0103');
  expect(row).toHaveTextContent('Tiene cuenta');
  expect(screen.getByRole('row', { name: /Óscar/ })).toHaveTextContent('Sin cuenta');
  expect(asked.at(-1)).toBe('?page=1');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Cuenta' }), 'Sin cuenta');
  await waitFor(() => expect(asked.at(-1)).toBe('?page=1&unassigned=true'));
  expect(router.state.location.search).toBe('?account=none');
});

it('creates a staff member without a default job title', async () => {
  const { sent } = serve(lucia);
  const { router } = await render({ at: '/staff/create' }, supervisor);
  expect(await screen.findByLabelText('Cargo')).toHaveValue('');
  await userEvent.type(screen.getByRole('textbox', { name: 'Nombre' }), 'Lucía');
  await userEvent.type(screen.getByRole('textbox', { name: 'Primer apellido' }), 'Paredes');
  await userEvent.type(screen.getByLabelText('Fecha de nacimiento'), '03/02/1990');
  await userEvent.type(screen.getByLabelText('Teléfono'), '55 5555 0103{Enter}');
  expect(await screen.findByText('Miembro del personal creado')).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe('/staff'));
  expect(sent).toEqual([
    {
      method: 'POST',
      body: {
        name: 'Lucía',
        first_surname: 'Paredes',
        second_surname: '',
        date_of_birth: '1990-02-03',
        telephone_number: '55 5555 0103',
        job_title: '',
      },
    },
  ]);
});

it('edits a staff member, in English too', async () => {
  const { sent } = serve(lucia);
  const { router } = await render({ at: '/staff/7/edit' }, { ...supervisor, language: 'en' });
  const title = await screen.findByLabelText('Job title');
  await userEvent.clear(title);
  await userEvent.type(title, 'Head nurse{Enter}');
  expect(await screen.findByText('Staff member updated')).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe('/staff/7'));
  expect(sent[0]?.body).toMatchObject({ job_title: 'Head nurse', date_of_birth: '1990-02-03' });
});

it('deletes a staff member after confirmation', async () => {
  const { sent } = serve(lucia);
  const { router } = await render({ at: '/staff/7/edit' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Eliminar miembro del personal' }));
  const dialog = await screen.findByRole('dialog', { name: '¿Eliminar al miembro del personal?' });
  expect(dialog).toHaveTextContent('Lucía Paredes Soto');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Eliminar miembro del personal' }));
  expect(await screen.findByText('Miembro del personal eliminado')).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe('/staff'));
  expect(sent).toEqual([{ method: 'DELETE', body: null }]);
});

it('links to the account of a staff member, if managed', async () => {
  serve(lucia);
  await render({ at: '/staff/7' }, supervisor);
  expect(await screen.findByRole('link', { name: 'lucia@consumo.test' })).toHaveAttribute('href', '/users/3');
  expect(screen.getByRole('link', { name: '55 5555 0103' })).toHaveAttribute('href', 'tel:5555550103');
});

it('does not name an account that the user does not manage', async () => {
  serve(lucia);
  server.use(http.get('/api/users/3', () => HttpResponse.json({ message: 'x' }, { status: 404 })));
  await render({ at: '/staff/7' }, supervisor);
  expect(await screen.findByText('Tiene cuenta')).toBeVisible();
  expect(screen.queryByRole('link', { name: /@/ })).not.toBeInTheDocument();
});

it.each(['/staff', '/staff/create', '/staff/7', '/staff/7/edit'])(
  'shows users without permission no staff: %s',
  async (address) => {
    server.use(http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))));
    await render({ at: address }, { user: aNurse() });
    expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
    expect(
      within(screen.getByRole('navigation', { name: 'Navegación principal' })).queryByRole('link', {
        name: 'Personal',
      }),
    ).not.toBeInTheDocument();
  },
);

it('shows the latest records of a person, with a link to all', async () => {
  serve();
  await render({ at: '/staff/7' }, supervisor);
  const lines = within(await screen.findByRole('region', { name: 'Últimas líneas a su nombre' }));
  expect(lines.getByRole('link', { name: /2 Gasa/ })).toHaveAttribute(
    'href',
    '/consumption-sheet-details/31',
  );
  expect(lines.getByRole('link', { name: 'Ver todo (40)' })).toHaveAttribute(
    'href',
    '/consumption-sheet-details?staff=7',
  );
});
