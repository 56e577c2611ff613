import { cleanup, render as renderBare, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { LoginGate } from '@/app/LoginGate';
import { Providers } from '@/app/Providers';
import { makeStore } from '@/app/store';
import { loadMessages } from '@/i18n/messages';
import { goToProvider } from '@/session/hospitalAccount';
import { aNewcomer, aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

const OIDC = { name: 'San José', only: false, logout: false };
const CALLBACK = '/auth/oidc/callback?code=SECRET&state=s-1&iss=https%3A%2F%2Flogin.test';

/** Serve settings of a hospital with an identity provider. */
function serveHospital(oidc: object | null = OIDC) {
  server.use(
    http.get('/api/settings', () =>
      HttpResponse.json({
        hospital_name: 'San José',
        logo_version: null,
        currency: 'USD',
        number_format: 'language',
        time_zone: 'UTC',
        shifts: ['06:00', '14:00', '22:00'],
        record_authority: null,
        idle_minutes: 15,
        offline: true,
        oidc,
      }),
    ),
  );
}

/** Serve the exchange, and collect what is sent. */
function serveExchange(answer: () => Response) {
  const sent: unknown[] = [];
  server.use(
    http.post('/api/auth/oidc/:call', async ({ request }) => {
      sent.push(await request.json());
      return answer();
    }),
  );
  return sent;
}

async function open(address: string) {
  await loadMessages('es');
  window.history.replaceState(null, '', address);
  renderBare(
    <Providers store={makeStore()}>
      <LoginGate />
    </Providers>,
  );
}

const begun = (links = false) =>
  sessionStorage.setItem('hospitalAccount', JSON.stringify({ transaction: 't-1', links }));

afterEach(() => {
  sessionStorage.clear();
  vi.useRealTimers();
});

it('shows the hospital first, and the form when it is asked for', async () => {
  serveHospital();
  await open('/auth/login');
  expect(await screen.findByRole('button', { name: 'Ingresar con San José' })).toBeVisible();
  expect(screen.queryByLabelText('Contraseña')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Usar contraseña de Consumo' }));
  expect(screen.getByLabelText('Contraseña')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Usar contraseña de Consumo' })).toBeNull();
});

it('says whose passwords still count', async () => {
  serveHospital({ ...OIDC, only: true });
  await open('/auth/login');
  expect(await screen.findByRole('button', { name: 'Solo administradores locales' })).toBeVisible();
});

it('shows the form alone without a provider', async () => {
  serveHospital(null);
  await open('/auth/login');
  expect(await screen.findByLabelText('Contraseña')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Ingresar con/ })).toBeNull();
});

it('unfolds the form if the provider is down', async () => {
  serveHospital();
  server.use(
    http.post('/api/auth/oidc/start', () =>
      HttpResponse.json({ message: 'El servicio de cuentas no responde.', errors: [] }, { status: 503 }),
    ),
  );
  await open('/auth/login');
  await userEvent.click(await screen.findByRole('button', { name: 'Ingresar con San José' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('El servicio de cuentas no responde.');
  expect(screen.getByLabelText('Contraseña')).toBeVisible();
  expect(sessionStorage).toHaveLength(0);
});

it('does not wait longer than three seconds for the provider', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(http.post('/api/auth/oidc/start', () => new Promise<never>(() => {})));
  const going = goToProvider(makeStore().dispatch);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await going).toBe('El hospital no responde. Puede ingresar con su contraseña de Consumo.');
});

it('signs in with the answer of the provider, without it in the address', async () => {
  serveHospital();
  const sent = serveExchange(() =>
    HttpResponse.json({ access_token: 'abc', given_name: 'Noelia', family_name: 'Vidal' }, { status: 201 }),
  );
  server.use(
    http.get('/api/auth/profile', () => HttpResponse.json(aNewcomer())),
    http.get('/api/staff/profile', () => HttpResponse.json({ data: null })),
  );
  begun();
  await open(CALLBACK);
  expect(window.location.pathname + window.location.search).toBe('/auth/login');
  // The names prefill the profile that is missing.
  expect(await screen.findByDisplayValue('Noelia')).toBeVisible();
  expect(screen.getByDisplayValue('Vidal')).toBeVisible();
  expect(sent).toEqual([{ code: 'SECRET', state: 's-1', iss: 'https://login.test', transaction: 't-1' }]);
  expect(sessionStorage.getItem('hospitalAccount')).toBeNull();
  expect(JSON.stringify({ ...localStorage })).not.toContain('SECRET');
});

it('explains a refused answer, and does not use it again', async () => {
  serveHospital();
  const message = 'Su cuenta del hospital no tiene acceso a Consumo.';
  const sent = serveExchange(() =>
    HttpResponse.json(
      { message: [message], errors: [{ field: null, code: 'oidc.no_role', message }] },
      { status: 422 },
    ),
  );
  begun();
  await open(CALLBACK);
  expect(await screen.findByRole('alert')).toHaveTextContent(message);
  cleanup();
  await open(CALLBACK);
  expect(await screen.findByRole('alert')).toHaveTextContent(message);
  expect(sent).toMatchObject([{ transaction: 't-1' }, { transaction: '' }]);
  await userEvent.click(screen.getByRole('button', { name: 'Continuar' }));
  expect(await screen.findByRole('button', { name: 'Ingresar con San José' })).toBeVisible();
});

it('links the own account after the password', async () => {
  serveHospital();
  const sent: { path: string; body: unknown }[] = [];
  server.use(
    http.post('/api/auth/unlock', async ({ request }) => {
      sent.push({ path: 'unlock', body: await request.json() });
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('/api/auth/oidc/link/start', () => {
      sent.push({ path: 'start', body: null });
      return HttpResponse.json({ message: 'No responde.', errors: [] }, { status: 503 });
    }),
  );
  await render({ at: '/users/account' }, { user: aNurse() });
  const section = await screen.findByRole('region', { name: 'Cuenta de San José' });
  expect(section).toHaveTextContent('Primero escriba su contraseña.');
  await userEvent.type(screen.getAllByLabelText(/^Contraseña actual/)[1] as HTMLElement, 'consumo-demo-2026');
  await userEvent.click(screen.getByRole('button', { name: 'Vincular con San José' }));
  expect(await screen.findByText('No responde.')).toBeVisible();
  expect(sent).toEqual([
    { path: 'unlock', body: { password: 'consumo-demo-2026' } },
    { path: 'start', body: null },
  ]);
});

it('finishes linking with the session as it is', async () => {
  serveHospital();
  localStorage.setItem('token', 'the old token');
  const sent: unknown[] = [];
  server.use(
    http.post('/api/auth/oidc/link', async ({ request }) => {
      sent.push([request.headers.get('Authorization'), await request.json()]);
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('/api/auth/profile', () => HttpResponse.json(aNurse({ oidc_linked: true }))),
  );
  begun(true);
  await open(CALLBACK);
  expect(await screen.findByText(/^Está vinculada/)).toBeVisible();
  await waitFor(() => expect(window.location.pathname).toBe('/users/account'));
  expect(sent).toMatchObject([['Bearer the old token', { code: 'SECRET', transaction: 't-1' }]]);
  expect(localStorage.getItem('token')).toBe('the old token');
});

it('shows people without password no fields for one', async () => {
  serveHospital();
  await render({ at: '/users/account' }, { user: aNurse({ has_password: false, oidc_linked: true }) });
  expect(await screen.findByText(/^Se ingresa con San José/)).toBeVisible();
  expect(screen.queryByLabelText(/^Contraseña actual/)).toBeNull();
  expect(screen.queryByLabelText(/^Nombre de usuario/)).toBeNull();
});
