import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { UserView } from '@/api/generated';
import { SECRET } from '@/test/canaries';
import { aNurse, anAdministrator, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const rosa = {
  id: 9,
  name: 'Rosa',
  first_surname: 'Núñez',
  second_surname: null,
  telephone_number: null,
  job_title: 'Enfermera',
  date_of_birth: null,
  user_id: 4,
};
const ana = { ...rosa, id: 8, name: 'Ana', first_surname: 'Ríos', job_title: 'Auxiliar', user_id: null };
const user: UserView = {
  id: 4,
  email: 'rosa@hospital.test',
  role: '1',
  staff_id: 9,
  profile: rosa,
  has_password: true,
  oidc_linked: false,
};
const link = {
  url: `https://consumo.test/auth/reset-password?token=${SECRET}`,
  expires_at: '2026-11-24T10:30:00Z',
};

/** Serve one user among others, and collect the requests. */
function serveUsers(shown = user) {
  const sent: { method: string; path: string; body?: unknown }[] = [];
  const note = async ({ request }: { request: Request }) => {
    const text = await request.clone().text();
    sent.push({
      method: request.method,
      path: new URL(request.url).pathname,
      ...(text && { body: JSON.parse(text) }),
    });
  };
  server.use(
    http.get('/api/users', () => HttpResponse.json(aPage([shown, { ...aSupervisor(), role: '2' }]))),
    http.get('/api/users/4', () => HttpResponse.json(shown)),
    http.get('/api/users/2', () => HttpResponse.json(aSupervisor())),
    http.get('/api/staff', ({ request }) => {
      const { searchParams } = new URL(request.url);
      expect(searchParams.get('unassigned')).toBe('true');
      return HttpResponse.json(aPage([ana]));
    }),
    http.post('/api/auth/register-by-admin', async (call) => {
      await note(call);
      return HttpResponse.json({ ...shown, activation: link, mailed: true }, { status: 201 });
    }),
    http.post('/api/users/4/reset-link', async (call) => {
      await note(call);
      return HttpResponse.json(link, { status: 201 });
    }),
    http.post('/api/auth/password-reset/account', () =>
      HttpResponse.json({ email: shown.email, name: 'Rosa Núñez', hospital: 'Hospital San José' }),
    ),
    http.put('/api/users/4', async (call) => {
      await note(call);
      return HttpResponse.json(shown);
    }),
    http.delete('/api/users/4', async (call) => {
      await note(call);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

const supervisor = { user: aSupervisor() };
const EMAIL = 'Nombre de usuario (correo electrónico)';
const role = () => screen.findByRole('combobox', { name: 'Rol' });
const options = (select: HTMLElement) =>
  within(select)
    .getAllByRole('option')
    .map((option) => option.textContent);
const newProfile = () => screen.queryByRole('checkbox', { name: 'Nuevo perfil' });
const save = () => userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
const type = async (text: string) =>
  userEvent.type(await screen.findByRole('textbox', { name: EMAIL }), text);

it('lists users with roles and names', async () => {
  serveUsers();
  await render({ at: '/users' }, supervisor);
  const row = await screen.findByRole('row', { name: /rosa@hospital.test/ });
  expect(row).toHaveTextContent('Rosa Núñez');
  expect(row).toHaveTextContent('Usuario');
  expect(within(row).getByRole('link', { name: 'rosa@hospital.test' })).toHaveAttribute('href', '/users/4');
  expect(screen.getByRole('row', { name: /supervisor@consumo.test/ })).toHaveTextContent('(usted)');
});

it('offers only roles that the user may assign', async () => {
  serveUsers();
  await render({ at: '/users/create' }, supervisor);
  expect(options(await role())).toEqual(['Usuario', 'Supervisor']);
  cleanup();
  await render({ at: '/users/create' }, { user: anAdministrator() });
  expect(options(await role())).toEqual(['Usuario', 'Supervisor', 'Administrador']);
});

it('creates a user, and asks before its link is left uncopied', async () => {
  const sent = serveUsers();
  const { router, store } = await render({ at: '/users/create' }, supervisor);
  expect(await role()).toHaveValue('1');
  expect(newProfile()).toBeChecked();
  await save();
  const email = screen.getByRole('textbox', { name: EMAIL });
  expect(email).toHaveAccessibleDescription('Este dato es obligatorio.');
  await type('rosa@hospital.test{Enter}');
  expect(await screen.findByText('Usuario creado')).toBeVisible();
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/api/auth/register-by-admin',
      body: { email: 'rosa@hospital.test', role: 1, staff_id: 0 },
    },
  ]);

  expect(screen.getByRole('heading', { name: 'Entregue este enlace a rosa@hospital.test' })).toBeVisible();
  expect(screen.getByText(/vence el 24 nov 2026, 10:30/)).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Enlace personal' })).toHaveValue(link.url);
  await userEvent.click(screen.getByRole('button', { name: 'Listo' }));
  const dialog = await screen.findByRole('dialog', { name: /^¿Salir sin copiar el enlace\?/ });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
  await userEvent.click(screen.getByRole('link', { name: 'Áreas' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancelar' }));
  expect(screen.getByRole('textbox', { name: 'Enlace personal' })).toBeVisible();

  await userEvent.setup().click(screen.getByRole('button', { name: 'Copiar enlace' }));
  expect(await screen.findByRole('button', { name: 'Copiado' })).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(link.url);
  await userEvent.click(await screen.findByRole('button', { name: 'Listo' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/users/4'));
  expect(screen.queryByText(new RegExp(SECRET))).toBeNull();
  await waitFor(() =>
    expect(JSON.stringify([store.getState(), localStorage, router.state.location])).not.toContain(SECRET),
  );
});

it('copies the link without the clipboard API of HTTPS pages', async () => {
  serveUsers();
  await render({ at: '/users/4' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Enlace para otra contraseña' }));
  const field: HTMLInputElement = await screen.findByRole('textbox', { name: 'Enlace personal' });
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  let copied = '';
  let allowed = false;
  document.execCommand = () => {
    copied = field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
    return allowed;
  };
  await userEvent.click(screen.getByRole('button', { name: 'Copiar enlace' }));
  expect(field).toHaveAccessibleDescription('Texto seleccionado: cópielo con Ctrl+C.');
  allowed = true;
  await userEvent.click(screen.getByRole('button', { name: 'Copiar enlace' }));
  expect(await screen.findByRole('button', { name: 'Copiado' })).toBeVisible();
  expect(copied).toBe(link.url);
});

it('creates a password link for other users only', async () => {
  const sent = serveUsers();
  await render({ at: '/users/4' }, supervisor);
  expect(await screen.findByRole('link', { name: 'Rosa Núñez' })).toHaveAttribute('href', '/staff/9');
  await userEvent.click(screen.getByRole('button', { name: 'Enlace para otra contraseña' }));
  expect(await screen.findByRole('textbox', { name: 'Enlace personal' })).toHaveValue(link.url);
  expect(sent).toEqual([{ method: 'POST', path: '/api/users/4/reset-link' }]);
  cleanup();
  await render({ at: '/users/2' }, supervisor);
  expect(await screen.findByRole('link', { name: 'Editar' })).toHaveAttribute('href', '/users/account');
  expect(screen.queryByRole('button', { name: 'Enlace para otra contraseña' })).toBeNull();
});

it("assigns unassigned staff, and shows the selector's state", async () => {
  const sent = serveUsers();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('/api/staff', async ({ request }) => {
      await held;
      return HttpResponse.json(aPage(new URL(request.url).searchParams.has('q') ? [] : [ana]));
    }),
  );
  await render({ at: '/users/create' }, supervisor);
  await type('ana@hospital.test');
  const box = newProfile();
  expect(box).toHaveAccessibleDescription('Completará su propio perfil al ingresar.');
  await userEvent.click(box as HTMLElement);
  const staff = screen.getByRole('combobox', { name: 'Personal' });
  expect(staff).toHaveAttribute('placeholder', 'Selecciona un elemento de la lista');
  await save();
  expect(staff).toHaveAccessibleDescription(/Elija de quién es la cuenta o marque «Nuevo perfil»\./);
  await userEvent.click(staff);
  expect((await screen.findAllByText('Espera mientras se obtienen los elementos'))[0]).toBeVisible();
  answer();
  expect(await screen.findByRole('option', { name: /Ana Ríos/ })).toBeVisible();
  await userEvent.type(staff, 'zzz');
  expect((await screen.findAllByText('No se encontraron elementos.'))[0]).toBeVisible();
  await userEvent.clear(staff);
  await userEvent.click(await screen.findByRole('option', { name: /Ana Ríos/ }));
  await save();
  await waitFor(() =>
    expect(sent).toContainEqual(
      expect.objectContaining({ body: { email: 'ana@hospital.test', role: 1, staff_id: 8 } }),
    ),
  );
});

it('edits profile and role, and explains the effects', async () => {
  const sent = serveUsers();
  const { router } = await render({ at: '/users/4/edit' }, supervisor);
  const staff = await screen.findByRole('combobox', { name: 'Personal' });
  expect(newProfile()).not.toBeChecked();
  expect(staff).toHaveValue('Rosa Núñez');
  await userEvent.click(staff);
  expect(
    (await screen.findAllByRole('option', { name: /Rosa|Ana/ })).map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining('Rosa Núñez'), expect.stringContaining('Ana Ríos')]);
  await userEvent.selectOptions(await role(), 'Supervisor');
  expect(screen.getByText(/se cierran sus sesiones/)).toBeVisible();
  await userEvent.click(newProfile() as HTMLElement);
  expect(newProfile()).toHaveAccessibleDescription(/el de Rosa Núñez queda libre/);
  await save();
  expect(await screen.findByText('¡Usuario actualizado!')).toBeVisible();
  expect(sent).toEqual([
    { method: 'PUT', path: '/api/users/4', body: { email: 'rosa@hospital.test', role: 2, staff_id: 0 } },
  ]);
  await waitFor(() => expect(router.state.location.pathname).toBe('/users/4'));
});

it('hides the profile for roles without one, and keeps it', async () => {
  const sent = serveUsers();
  await render({ at: '/users/4/edit' }, { user: anAdministrator() });
  await role();
  await userEvent.click(newProfile() as HTMLElement);
  await userEvent.selectOptions(await role(), 'Administrador');
  expect(newProfile()).toBeNull();
  expect(screen.queryByRole('combobox', { name: 'Personal' })).toBeNull();
  await save();
  await waitFor(() => expect(sent[0]?.body).toEqual({ email: 'rosa@hospital.test', role: 10, staff_id: 9 }));
});

it('shows each refusal at its field and keeps typed values', async () => {
  serveUsers();
  const errors = [
    { field: 'email', code: 'taken', message: 'Cambie «Correo»: ya existe.' },
    { field: 'role', code: 'user.last_administrator', message: 'Nombre antes a otro administrador.' },
  ];
  server.use(
    http.put('/api/users/4', () =>
      HttpResponse.json({ message: errors.map(({ message }) => message), errors }, { status: 422 }),
    ),
  );
  await render({ at: '/users/4/edit' }, supervisor);
  await type('x{Enter}');
  const email = screen.getByRole('textbox', { name: EMAIL });
  await waitFor(() => expect(email).toHaveAccessibleDescription('Cambie «Correo»: ya existe.'));
  expect(email).toHaveValue('rosa@hospital.testx');
  expect(await role()).toHaveAccessibleDescription(/Nombre antes a otro administrador\./);
  expect(screen.getAllByText('Cambie «Correo»: ya existe.')).toHaveLength(2);
});

it('deletes a user after confirmation, and says what remains', async () => {
  const sent = serveUsers();
  const { router } = await render({ at: '/users/4/edit' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Eliminar usuario' }));
  const dialog = await screen.findByRole('dialog', { name: 'Eliminar Usuario?' });
  expect(dialog).toHaveTextContent('Las líneas que registró conservan su nombre.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Eliminar usuario' }));
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Eliminar usuario' }),
  );
  expect(await screen.findByText('¡Usuario eliminado!')).toBeVisible();
  expect(sent).toEqual([{ method: 'DELETE', path: '/api/users/4' }]);
  await waitFor(() => expect(router.state.location.pathname).toBe('/users'));
});

it('redirects users from their own edit page to their account', async () => {
  serveUsers();
  const { router } = await render({ at: '/users/2/edit' }, supervisor);
  await waitFor(() => expect(router.state.location.pathname).toBe('/users/account'));
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryByRole('button', { name: 'Eliminar usuario' })).toBeNull();
});

it('is not available without permission', async () => {
  server.use(http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))));
  await render({ at: '/users/4' }, { user: aNurse() });
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
  expect(screen.getByText(/Ingresó como Usuario/)).toBeVisible();
  expect(
    within(screen.getByRole('navigation', { name: 'Navegación principal' })).queryByRole('link', {
      name: 'Usuarios',
    }),
  ).toBeNull();
});

it('is available in English', async () => {
  const sent = serveUsers();
  await render({ at: '/users/4/edit' }, { ...supervisor, language: 'en' });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete user' }));
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: 'Delete user?' })).getByRole('button', {
      name: 'Delete user',
    }),
  );
  expect(await screen.findByText('User deleted!')).toBeVisible();
  expect(sent).toHaveLength(1);
});

it('marks who signs in with the hospital’s account, where there is one', async () => {
  serveUsers({ ...user, has_password: false, oidc_linked: true });
  server.use(
    http.get('/api/settings', () =>
      HttpResponse.json({
        currency: 'USD',
        time_zone: 'UTC',
        oidc: { name: 'San José', logout: false, only: false },
      }),
    ),
  );
  await render({ at: '/users' }, { user: anAdministrator() });
  const row = await screen.findByRole('row', { name: /rosa@hospital.test/ });
  expect(row).toHaveTextContent('Vinculada, sin contraseña de Consumo');
  expect(screen.getByRole('columnheader', { name: 'Cuenta del hospital' })).toBeVisible();
});

it('has no such column without a provider', async () => {
  serveUsers();
  await render({ at: '/users' }, { user: anAdministrator() });
  await screen.findByRole('row', { name: /rosa@hospital.test/ });
  expect(screen.queryByRole('columnheader', { name: 'Cuenta del hospital' })).toBeNull();
});
