import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { aNurse, anAdministrator } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const GOOD = 'cuatro vendas y un termómetro';
const nurse = aNurse();

/**
 * Serve the user's own account.
 *
 * A new password invalidates the token at once.
 */
function serveAccount({ login = 201 } = {}) {
  const sent: { path: string; token: string | null; body?: unknown }[] = [];
  let email = nurse.email;
  let alive = 'Bearer token-1';
  const note = async ({ request }: { request: Request }) => {
    const text = await request.clone().text();
    const body = text ? JSON.parse(text) : undefined;
    sent.push({
      path: `${request.method} ${new URL(request.url).pathname}`,
      token: request.headers.get('Authorization'),
      ...(body && { body }),
    });
    return body;
  };
  server.use(
    http.get('/api/auth/profile', async (call) => {
      if (alive !== 'Bearer token-1') await note(call);
      return call.request.headers.get('Authorization') === alive
        ? HttpResponse.json({ ...nurse, email })
        : HttpResponse.json({ message: 'no' }, { status: 401 });
    }),
    http.put('/api/users/3', async (call) => {
      const body = await note(call);
      email = body.email;
      if (body.password) alive = '';
      return HttpResponse.json({ id: 3, email, role: '1', staff_id: 7, profile: nurse.profile });
    }),
    http.post('/api/auth/login', async (call) => {
      await note(call);
      if (login !== 201) return HttpResponse.json({ message: 'wait' }, { status: login });
      alive = 'Bearer token-2';
      return HttpResponse.json({ access_token: 'token-2' }, { status: 201 });
    }),
    http.get('/api/users/3/sessions', ({ request }) =>
      request.headers.get('Authorization') === alive
        ? HttpResponse.json({ items: [] })
        : HttpResponse.json({ message: 'no' }, { status: 401 }),
    ),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
  );
  return sent;
}

const open = () => render({ at: '/users/account' }, { user: nurse });
const email = () => screen.findByRole('textbox', { name: 'Nombre de usuario (correo electrónico)' });
const save = () => userEvent.click(screen.getByRole('button', { name: 'Guardar' }));

async function fillIn(current: string, password: string, confirmation = password) {
  await userEvent.type(await screen.findByLabelText(/^Contraseña actual/), current);
  if (password) await userEvent.type(screen.getByLabelText(/^Contraseña nueva/), password);
  if (confirmation) await userEvent.type(screen.getByLabelText(/^Confirmar/), confirmation);
}

it("opens from the user's name, shows no role, and leads back", async () => {
  const { router } = await render({ at: '/' }, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('link', { name: /admin@consumo.test/ }));
  expect(await email()).toHaveValue('admin@consumo.test');
  expect(router.state.location.pathname).toBe('/users/account');
  expect(screen.getByRole('link', { name: 'Usuarios' })).not.toHaveAttribute('aria-current');
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Eliminar usuario' })).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'Volver' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
});

it('changes the email with the current password', async () => {
  const { store } = await open();
  const sent = serveAccount();
  await fillIn('consumo-demo-2026', '', '');
  await userEvent.clear(await email());
  await userEvent.type(await email(), 'lucia@hospital.test{Enter}');
  expect(await screen.findByText('¡Usuario actualizado!')).toBeVisible();
  expect(sent[0]?.body).toEqual({
    email: 'lucia@hospital.test',
    current_password: 'consumo-demo-2026',
    password: '',
    password_confirmation: '',
  });
  await waitFor(() => expect(store.getState().session.user?.email).toBe('lucia@hospital.test'));
  expect(localStorage.getItem('token')).toBe('token-1');
});

it('changes the password and continues in a new session', async () => {
  const { router } = await open();
  const sent = serveAccount();
  await fillIn('consumo-demo-2026', GOOD);
  await save();
  await waitFor(() => expect(localStorage.getItem('token')).toBe('token-2'));
  expect(screen.getByText('¡Usuario actualizado!')).toBeVisible();
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent).toEqual([
    {
      path: 'PUT /api/users/3',
      token: 'Bearer token-1',
      body: {
        email: 'user@consumo.test',
        current_password: 'consumo-demo-2026',
        password: GOOD,
        password_confirmation: GOOD,
      },
    },
    {
      path: 'POST /api/auth/login',
      token: 'Bearer token-1',
      body: { email: 'user@consumo.test', password: GOOD },
    },
    { path: 'GET /api/auth/profile', token: 'Bearer token-2' },
  ]);
  expect(router.state.location.pathname).toBe('/users/account');
  expect(screen.getByLabelText(/^Contraseña nueva/)).toHaveValue('');
  // Nothing is unsaved any more, so leaving asks no question.
  await userEvent.click(screen.getByRole('link', { name: 'Volver' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
});

// With 202 the server asks for a passkey.
it.each([429, 202])('explains a sign-out if signing in returned %d', async (login) => {
  const { router } = await open();
  serveAccount({ login });
  await fillIn('consumo-demo-2026', GOOD);
  await save();
  expect(await screen.findByText('Su contraseña cambió. Ingrese con la nueva.')).toBeVisible();
  expect(router.state.location.pathname).toBe('/auth/login');
});

it('requires the current password for another email', async () => {
  await open();
  const sent = serveAccount();
  await userEvent.type(await email(), 'x{Enter}');
  const current = screen.getByLabelText(/^Contraseña actual/);
  expect(current).toHaveAccessibleDescription(/Este dato es obligatorio\./);
  await waitFor(() => expect(current).toHaveFocus());
  expect(sent).toEqual([]);
});

it('sends no autofilled current password without a change', async () => {
  await open();
  const sent = serveAccount();
  await fillIn('consumo-demo-2026', '', '');
  await save();
  expect(await screen.findByText('¡Usuario actualizado!')).toBeVisible();
  expect(sent[0]?.body).toMatchObject({ email: nurse.email, current_password: '' });
});

it('shows errors before sending', async () => {
  await open();
  const sent = serveAccount();
  await fillIn(' {Backspace}', 'corta', 'larga');
  await save();
  expect(await screen.findByLabelText(/^Contraseña actual/)).toHaveAccessibleDescription(
    /Este dato es obligatorio\./,
  );
  expect(screen.getByLabelText(/^Contraseña nueva/)).toHaveAccessibleDescription(/al menos 12 caracteres\./);
  expect(screen.getByLabelText(/^Confirmar/)).toHaveAccessibleDescription(
    'No coincide con la contraseña nueva.',
  );
  expect(sent).toEqual([]);
});

it('shows a wrong current password at its field', async () => {
  await open();
  serveAccount();
  const message = 'Escriba su contraseña actual: no es correcta.';
  server.use(
    http.put('/api/users/3', () =>
      HttpResponse.json(
        { message: [message], errors: [{ field: 'current_password', code: 'password.wrong', message }] },
        { status: 422 },
      ),
    ),
  );
  await fillIn('otra', GOOD);
  await save();
  const current = screen.getByLabelText(/^Contraseña actual/);
  await waitFor(() => expect(current).toHaveAccessibleDescription(new RegExp(message)));
  await waitFor(() => expect(current).toHaveFocus());
  expect(screen.getByLabelText(/^Contraseña nueva/)).toHaveValue(GOOD);
});
