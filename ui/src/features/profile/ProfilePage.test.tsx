import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { OwnAccountView } from '@/api/generated';
import { aNewcomer, aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

it('lets a newcomer in once the profile is saved', async () => {
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

it('says what is required before the server has to, and goes there', async () => {
  server.use(http.get('/api/staff/profile', () => HttpResponse.json({ data: null })));
  await render({ at: '/auth/profile' }, { user: aNewcomer() });
  await userEvent.click(await screen.findByRole('button', { name: 'Guardar' }));
  expect(screen.getAllByText('Este dato es obligatorio.')).toHaveLength(2);
});

it('says so when the server names no user', async () => {
  server.use(
    http.get('/api/staff/profile', () => HttpResponse.json({ data: aNurse().profile })),
    http.put('/api/staff/profile', () => HttpResponse.json({ data: aNurse().profile })),
  );
  await render({ at: '/auth/profile' }, { user: aNurse(), language: 'en' });
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Error updating profile')).toBeVisible();
});

it('says what the job title is to begin with, and gives way to what one types', async () => {
  server.use(http.get('/api/staff/profile', () => HttpResponse.json({ data: null })));
  await render({ at: '/auth/profile' }, { user: aNewcomer() });
  const title = await screen.findByLabelText('Cargo');
  expect(title).toHaveValue('1');
  expect(title).toHaveAccessibleDescription(/1 es el general\./);
  await userEvent.tab();
  title.focus();
  await userEvent.keyboard('Enfermera');
  expect(title).toHaveValue('Enfermera');
});

it('asks before what was typed is left behind', async () => {
  server.use(http.get('/api/staff/profile', () => HttpResponse.json({ data: aNurse().profile })));
  const { router } = await render({ at: '/auth/profile' }, { user: aNurse() });
  await userEvent.type(await screen.findByLabelText('Teléfono'), '555');
  await userEvent.click(screen.getByRole('link', { name: 'Volver' }));
  await screen.findByRole('dialog', { name: '¿Salir sin guardar los cambios?' });
  await userEvent.click(screen.getByRole('button', { name: 'Cancelar' }));
  expect(router.state.location.pathname).toBe('/auth/profile');
  expect(screen.getByLabelText('Teléfono')).toHaveValue('555');
});
