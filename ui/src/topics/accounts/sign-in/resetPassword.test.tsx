import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { SECRET } from '@/test/canaries';
import { aNewcomer, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

const GOOD = 'cuatro vendas y un termómetro';

/** Serve for whom the link is. */
function serveHolder(
  holder = { email: 'ana@hospital.test', name: 'Ana Ríos', hospital: 'Hospital San José' },
) {
  server.use(http.post('/api/auth/password-reset/account', () => HttpResponse.json(holder)));
}

beforeEach(() => serveHolder());

/** Serve both requests of the page, and collect them. */
function servePasswords() {
  const sent: { path: string; body: unknown }[] = [];
  const note = async (request: Request) =>
    sent.push({ path: new URL(request.url).pathname, body: await request.json() });
  server.use(
    http.post('/api/auth/password-reset', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 202 });
    }),
    http.post('/api/auth/password-reset/confirm', async ({ request }) => {
      await note(request);
      return HttpResponse.json({ access_token: 'the new token' }, { status: 201 });
    }),
    http.get('/api/auth/profile', () => HttpResponse.json(aNewcomer())),
    http.get('/api/staff/profile', () => HttpResponse.json({ data: null })),
  );
  return sent;
}

function refuse(field: string, message: string, path = 'confirm') {
  server.use(
    http.post(`/api/auth/password-reset/${path}`, () =>
      HttpResponse.json({ message: [message], errors: [{ field, code: 'x', message }] }, { status: 422 }),
    ),
  );
}

async function choose(password = GOOD, confirmation = password) {
  await userEvent.type(await screen.findByLabelText(/^Contraseña nueva/), password);
  await userEvent.type(screen.getByLabelText(/^Confirmar contraseña nueva/), confirmation);
  await userEvent.click(screen.getByRole('button', { name: 'Guardar contraseña' }));
}

it('requests a link with the typed email, with a uniform answer', async () => {
  const sent = servePasswords();
  const { router } = await render({ at: '/auth/login' });
  await userEvent.type(await screen.findByLabelText('Correo electrónico'), 'ana@hospital.test');
  await userEvent.click(screen.getByRole('link', { name: '¿Olvidó su contraseña?' }));
  expect(await screen.findByRole('heading', { name: 'Restablecer contraseña' })).toBeVisible();
  expect(screen.getByLabelText('Correo electrónico')).toHaveValue('ana@hospital.test');
  await userEvent.click(screen.getByRole('button', { name: 'Pedir enlace' }));
  expect(await screen.findByText(/^Si existe una cuenta con ese correo/)).toBeVisible();
  expect(sent).toEqual([{ path: '/api/auth/password-reset', body: { email: 'ana@hospital.test' } }]);

  await userEvent.click(screen.getByRole('link', { name: 'Volver a ingresar' }));
  expect(await screen.findByLabelText('Correo electrónico')).toHaveValue('ana@hospital.test');
  expect(router.state.location.pathname).toBe('/auth/login');
});

it('chooses a password by link, whose secret leaves the URL', async () => {
  const sent = servePasswords();
  server.use(http.get('/api/settings', () => HttpResponse.json({ hospital_name: 'Hospital San José' })));
  const { router } = await render({ at: `/auth/reset-password?token=${SECRET}` });
  const password = await screen.findByLabelText(/^Contraseña nueva/);
  expect(password).toHaveAccessibleDescription(/^Al menos 12 caracteres/);
  expect(router.state.location.search).toBe('');
  expect(JSON.stringify(router.state.location)).not.toContain(SECRET);
  expect(await screen.findByText('Hospital San José')).toBeVisible();
  expect(screen.getByText('Ana Ríos')).toBeVisible();
  expect(screen.getByLabelText('Correo electrónico')).toHaveValue('ana@hospital.test');
  await choose();
  // Signed in: a newcomer completes the profile next.
  expect(await screen.findByRole('heading', { name: 'Perfil' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/auth/profile');
  expect(localStorage.getItem('token')).toBe('the new token');
  expect(sent).toEqual([
    {
      path: '/api/auth/password-reset/confirm',
      body: { token: SECRET, password: GOOD, password_confirmation: GOOD },
    },
  ]);
});

it('shows errors of a password before it is sent', async () => {
  const sent = servePasswords();
  await render({ at: `/auth/reset-password?token=${SECRET}` });
  await choose('corta', 'cortas');
  const password = screen.getByLabelText(/^Contraseña nueva/);
  expect(password).toHaveAccessibleDescription(
    /Elija una contraseña de al menos 12 caracteres\..*Faltan 7 caracteres\./,
  );
  expect(password).toBeInvalid();
  expect(screen.getByLabelText(/^Confirmar/)).toHaveAccessibleDescription(
    'No coincide con la contraseña nueva.',
  );
  await waitFor(() => expect(password).toHaveFocus());
  expect(sent).toEqual([]);
});

it("shows the server's rating of a password while typing", async () => {
  servePasswords();
  const asked: unknown[] = [];
  const weakness = 'Elija otra contraseña: esta es demasiado común.';
  server.use(
    http.post('/api/auth/password-reset/strength', async ({ request }) => {
      const body = (await request.json()) as { password: string };
      asked.push(body);
      return HttpResponse.json(
        body.password === 'hospital2026' ? { score: 1, weakness } : { score: 4, weakness: null },
      );
    }),
  );
  await render({ at: `/auth/reset-password?token=${SECRET}` });
  const password = await screen.findByLabelText(/^Contraseña nueva/);
  await userEvent.type(password, 'hospital202');
  expect(password).toHaveAccessibleDescription(/Falta 1 carácter\.$/);
  await userEvent.type(password, '6');
  await waitFor(() => expect(password).toHaveAccessibleDescription(new RegExp(`Muy débil\\. ${weakness}$`)));
  await userEvent.clear(password);
  expect(password).toHaveAccessibleDescription(/Faltan 12 caracteres\.$/);
  await userEvent.type(password, GOOD);
  await waitFor(() => expect(password).toHaveAccessibleDescription(/Muy buena\.$/));
  // Intermediate texts were not rated.
  expect(asked).toEqual([
    { token: SECRET, password: 'hospital2026' },
    { token: SECRET, password: GOOD },
  ]);
});

it('accepts a password that could not be rated', async () => {
  const sent = servePasswords();
  server.use(
    http.post('/api/auth/password-reset/strength', () =>
      HttpResponse.json({ message: 'Demasiados intentos.' }, { status: 429 }),
    ),
  );
  await render({ at: `/auth/reset-password?token=${SECRET}` });
  await choose();
  expect(await screen.findByRole('heading', { name: 'Perfil' })).toBeVisible();
  expect(sent).toHaveLength(1);
});

it('shows a refusal at the password; the link stays valid', async () => {
  servePasswords();
  const message = 'Elija otra contraseña: esta es demasiado común.';
  refuse('password', message);
  await render({ at: `/auth/reset-password?token=${SECRET}` });
  await choose('hospital2026');
  await waitFor(() =>
    expect(screen.getByLabelText(/^Contraseña nueva/)).toHaveAccessibleDescription(new RegExp(message)),
  );
  expect(screen.getByRole('button', { name: 'Guardar contraseña' })).toBeVisible();
});

it.each([
  ['before a password is typed', false],
  ['that was used meanwhile', true],
])('reports an invalid link %s, and offers to request a new one', async (_, meanwhile) => {
  const sent = servePasswords();
  const message = 'Pida un enlace nuevo: este ya se usó o venció.';
  refuse('token', message, meanwhile ? 'confirm' : 'account');
  await render({ at: '/auth/reset-password?token=old' });
  if (meanwhile) await choose();
  expect(await screen.findByRole('alert')).toHaveTextContent(message);
  expect(screen.getAllByText(message)).toHaveLength(1);
  await userEvent.type(screen.getByLabelText('Correo electrónico'), 'ana@hospital.test');
  await userEvent.click(screen.getByRole('button', { name: 'Pedir enlace' }));
  expect(await screen.findByText(/^Si existe una cuenta/)).toBeVisible();
  expect(sent.at(-1)?.path).toBe('/api/auth/password-reset');
});

const failed = /^El servidor respondió de forma inesperada/;
const ANSWERS: [number, object | null, string | RegExp][] = [
  [204, null, failed],
  [401, null, failed],
  [403, { message: 'No se permite desde aquí.' }, 'No se permite desde aquí.'],
  [422, null, failed],
  [429, { message: 'Espere un minuto.' }, 'Espere un minuto.'],
  [500, null, failed],
];
const answer = (status: number, body: object | null) => () =>
  new HttpResponse(body && JSON.stringify(body), { status });

it.each(ANSWERS)('explains a %d with %j after requesting a link', async (status, body, shown) => {
  server.use(http.post('/api/auth/password-reset', answer(status, body)));
  await render({ at: '/auth/reset-password' });
  await userEvent.type(await screen.findByLabelText('Correo electrónico'), 'ana@hospital.test{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(shown);
  expect(screen.getByLabelText('Correo electrónico')).toHaveValue('ana@hospital.test');
  expect(screen.queryByText(/^Si existe una cuenta/)).toBeNull();
});

it.each(ANSWERS)('explains a %d with %j after choosing a password', async (status, body, shown) => {
  server.use(http.post('/api/auth/password-reset/confirm', answer(status, body)));
  await render({ at: '/auth/reset-password?token=s3cret' });
  await choose();
  expect(await screen.findByRole('alert')).toHaveTextContent(shown);
  expect(screen.getByLabelText(/^Contraseña nueva/)).toHaveValue(GOOD);
});

it("warns of another user's session, and ends it", async () => {
  servePasswords();
  let signedOut = false;
  server.use(
    http.post('/api/auth/logout', () => {
      signedOut = true;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await render({ at: `/auth/reset-password?token=${SECRET}` }, { user: aSupervisor() });
  server.use(http.get('/api/auth/profile', () => HttpResponse.json(aNewcomer())));
  expect(await screen.findByText(/La sesión de supervisor@consumo.test/)).toBeVisible();
  await choose();
  expect(await screen.findByRole('heading', { name: 'Perfil' })).toBeVisible();
  expect(signedOut).toBe(true);
  expect(localStorage.getItem('token')).toBe('the new token');
});

it('lets users choose whose name could not be read', async () => {
  servePasswords();
  server.use(http.post('/api/auth/password-reset/account', () => new HttpResponse(null, { status: 500 })));
  await render({ at: `/auth/reset-password?token=${SECRET}` });
  await choose();
  expect(await screen.findByRole('heading', { name: 'Perfil' })).toBeVisible();
});

it('redirects signed-in users without a link', async () => {
  server.use(
    http.get('/api/consumption-sheets', () =>
      HttpResponse.json({ items: [], meta: { page: 1, limit: 25, total: 0, pages: 0 } }),
    ),
  );
  const { router } = await render({ at: '/auth/reset-password' }, { user: aSupervisor() });
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
});
