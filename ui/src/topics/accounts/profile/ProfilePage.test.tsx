import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { OwnAccountView } from '@/api/generated';
import { aNewcomer, aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

it('opens the application after the first profile is saved', async () => {
  let account: OwnAccountView = aNewcomer();
  let sent: unknown;
  server.use(
    http.get('/api/staff/profile', () => HttpResponse.json({ data: null })),
    http.put('/api/staff/profile', async ({ request }) => {
      sent = await request.json();
      account = aNurse();
      return HttpResponse.json({ user_id: 3, data: account.profile });
    }),
  );
  const { router } = await render({ at: '/' }, { user: account });
  server.use(http.get('/api/auth/profile', () => HttpResponse.json(account)));

  await userEvent.type(await screen.findByLabelText(/^Nombre/), 'Lucía');
  expect(screen.getByLabelText('Cargo')).toHaveValue('1');
  await userEvent.type(screen.getByLabelText(/^Primer apellido/), 'Paredes');
  await userEvent.type(screen.getByLabelText('Fecha de nacimiento'), '01/02/1985');
  await userEvent.tab();
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));

  expect(await screen.findByText('¡Perfil actualizado!')).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Inicio' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/');
  expect(sent).toMatchObject({
    name: 'Lucía',
    first_surname: 'Paredes',
    job_title: '1',
    date_of_birth: '1985-02-01',
  });
});

it('shows required fields before sending', async () => {
  server.use(http.get('/api/staff/profile', () => HttpResponse.json({ data: null })));
  await render({ at: '/auth/profile' }, { user: aNewcomer() });
  await userEvent.click(await screen.findByRole('button', { name: 'Guardar' }));
  expect(screen.getAllByText('Este dato es obligatorio.')).toHaveLength(2);
});

it('reports an answer without a user', async () => {
  server.use(
    http.get('/api/staff/profile', () => HttpResponse.json({ data: aNurse().profile })),
    http.put('/api/staff/profile', () => HttpResponse.json({ data: aNurse().profile })),
  );
  await render({ at: '/auth/profile' }, { user: aNurse(), language: 'en' });
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Error updating profile')).toBeVisible();
});

it('suggests job titles, and sends what it shows', async () => {
  const sent: unknown[] = [];
  server.use(
    http.get('/api/staff/profile', () =>
      HttpResponse.json({ data: { ...aNurse().profile, job_title: '1' } }),
    ),
    http.put('/api/staff/profile', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ user_id: 3, data: aNurse().profile });
    }),
  );
  await render({ at: '/auth/profile' }, { user: aNurse() });
  const title = await screen.findByLabelText('Cargo');
  expect(title).toHaveValue('1');
  expect(title).toHaveAccessibleDescription('Elija uno o escriba otro. Puede dejarlo vacío.');
  const list = document.getElementById(title.getAttribute('list') ?? '');
  expect([...(list?.children ?? [])].map((option) => option.getAttribute('value'))).toContain('Enfermera');
  await userEvent.clear(title);
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  await waitFor(() => expect(sent).toMatchObject([{ job_title: '' }]));
});

it('asks before typed values are lost', async () => {
  server.use(http.get('/api/staff/profile', () => HttpResponse.json({ data: aNurse().profile })));
  const { router } = await render({ at: '/auth/profile' }, { user: aNurse() });
  await userEvent.type(await screen.findByLabelText('Teléfono'), '555');
  await userEvent.click(screen.getByRole('link', { name: 'Volver' }));
  await screen.findByRole('dialog', { name: '¿Salir sin guardar los cambios?' });
  await userEvent.click(screen.getByRole('button', { name: 'Cancelar' }));
  expect(router.state.location.pathname).toBe('/auth/profile');
  expect(screen.getByLabelText('Teléfono')).toHaveValue('555');
});
