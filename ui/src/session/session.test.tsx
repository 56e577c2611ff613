import { notifications } from '@mantine/notifications';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { api } from '@/api/base';
import { generatedApi } from '@/api/generated';
import { renewing } from '@/api/renewal';
import { aNewcomer, aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';
import { tokenRenewed } from './session';

async function signIn(email = 'user@consumo.test', password = 'consumo-demo-2026') {
  await userEvent.type(await screen.findByLabelText('Correo electrónico'), email);
  await userEvent.type(screen.getByLabelText('Contraseña'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Ingresar' }));
}

describe('signing in', () => {
  it('stores token and user, and opens the first page', async () => {
    server.use(
      http.post('/api/auth/login', () => HttpResponse.json({ access_token: 'abc' }, { status: 201 })),
      http.get('/api/auth/profile', ({ request }) =>
        request.headers.get('Authorization') === 'Bearer abc'
          ? HttpResponse.json(aNurse())
          : HttpResponse.json({ message: '?' }, { status: 401 }),
      ),
    );
    const { router } = await render({ at: '/auth/login' });
    await signIn();
    expect(await screen.findByRole('heading', { name: 'Inicio' })).toBeVisible();
    expect(screen.getByText('¡Bienvenido!')).toBeVisible();
    expect(router.state.location.pathname).toBe('/');
    expect(localStorage.getItem('token')).toBe('abc');
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({ email: 'user@consumo.test' });
  });

  const failed = /^El servidor respondió de forma inesperada/;
  it.each([
    [200, { access_token: 'abc' }, failed],
    [204, null, failed],
    [401, { message: 'La cuenta no está activa.' }, 'La cuenta no está activa.'],
    [401, null, failed],
    [403, null, failed],
    [404, { message: 'Invalid credentials' }, 'Credenciales inválidas'],
    [422, null, failed],
    [429, { message: 'Espere un minuto.' }, 'Espere un minuto.'],
    [500, '<html></html>', failed],
  ])('shows a toast for %d with %j, and keeps the form', async (status, body, shown) => {
    server.use(
      http.post('/api/auth/login', () =>
        typeof body === 'string'
          ? new HttpResponse(body, { status })
          : new HttpResponse(body && JSON.stringify(body), { status }),
      ),
    );
    await render({ at: '/auth/login' });
    await signIn();
    expect(await screen.findByRole('alert')).toHaveTextContent(shown);
    expect(screen.getByLabelText('Correo electrónico')).toHaveValue('user@consumo.test');
    expect(localStorage.getItem('token')).toBeNull();
  });

  it.each([
    ['no answer', () => HttpResponse.error()],
    ['a 502', () => new HttpResponse(null, { status: 502 })],
    ['a 503', () => new HttpResponse('<html></html>', { status: 503 })],
  ])('offers to try again after %s', async (_, answer) => {
    server.use(http.post('/api/auth/login', answer));
    await render({ at: '/auth/login' });
    await signIn();
    expect(await screen.findByText('No hay conexión con el servidor. Inténtelo de nuevo.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reintentar' })).toBeVisible();
    expect(screen.getByLabelText('Correo electrónico')).toHaveValue('user@consumo.test');
  });

  it('shows the messages of a 422 at their fields and in toasts', async () => {
    const message = 'El correo no es válido.';
    server.use(
      http.post('/api/auth/login', () =>
        HttpResponse.json(
          { message: [message], errors: [{ field: 'email', code: 'x', message }] },
          { status: 422 },
        ),
      ),
    );
    await render({ at: '/auth/login' });
    await signIn('nadie');
    expect(await screen.findAllByText(message)).toHaveLength(2);
    expect(screen.getByLabelText('Correo electrónico')).toHaveAccessibleDescription(message);
    await waitFor(() => expect(screen.getByLabelText('Correo electrónico')).toHaveFocus());
  });
});

describe('guards', () => {
  it('redirects to the login without a session', async () => {
    const { router } = await render({ at: '/consumption-sheets' });
    expect(await screen.findByRole('heading', { name: 'Iniciar sesión' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/auth/login');
  });

  it('redirects to a required profile', async () => {
    server.use(http.get('/api/staff/profile', () => HttpResponse.json({ data: null })));
    const { router } = await render({ at: '/consumption-sheets' }, { user: aNewcomer() });
    expect(await screen.findByText(/Complete su perfil/)).toBeVisible();
    expect(router.state.location.pathname).toBe('/auth/profile');
  });

  it('redirects from the login to the first page when signed in', async () => {
    const { router } = await render({ at: '/auth/login' }, { user: aNurse() });
    expect(await screen.findByRole('heading', { name: 'Inicio' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/');
  });

  it('shows the profile link only to users with a profile', async () => {
    await render({ at: '/' }, { user: aSupervisor({ permissions: ['sheets.read'] }) });
    expect(await screen.findByRole('link', { name: 'Hojas de consumo' })).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Perfil' })).toBeNull();
  });
});

describe('a missing record', () => {
  it('shows the server’s message below the fixed sentence, and no retry', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {}); // React reports what the error page catches
    const message = 'No existe el paciente 987: puede que se haya eliminado.';
    server.use(http.get('/api/patients/987', () => HttpResponse.json({ message }, { status: 404 })));
    await render({ at: '/patients/987/edit' }, { user: aNurse() });
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByText(/inesperado/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Reintentar' })).toBeNull();
  });

  it('has no page for an id that is not a number', async () => {
    await render({ at: '/patients/x1' }, { user: aNurse() });
    expect(await screen.findByText('No encontramos esta página')).toBeVisible();
  });
});

/** Start a request whose old token is refused late. */
async function beginLate() {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let answered = () => {};
  const refused = new Promise<void>((resolve) => {
    answered = resolve;
  });
  server.use(
    http.get('/api/areas', async ({ request }) => {
      if (request.headers.get('Authorization') !== 'Bearer token-1') return HttpResponse.json(aPage([]));
      await held;
      answered();
      return HttpResponse.json({ message: 'no' }, { status: 401 });
    }),
  );
  const { store } = await render(<p />, { user: aNurse() });
  const answer = store.dispatch(generatedApi.endpoints.listAreas.initiate({ limit: 100 }));
  return { late: { store, answer, refused }, release };
}

describe('the session', () => {
  it.each([401, 403])('ends with a %d, clears everything, and says why', async (status) => {
    server.use(http.get('/api/consumption-sheets', () => HttpResponse.json({ message: 'no' }, { status })));
    const { router } = await render({ at: '/consumption-sheets' }, { user: aNurse() });
    expect(await screen.findByText(/Su sesión terminó/)).toBeVisible();
    expect(router.state.location.pathname).toBe('/auth/login');
    expect(localStorage.getItem('token')).toBeNull();
    expect(localStorage.getItem('user')).toBeNull();
  });

  it.each([
    ['the answer to what is saved', () => HttpResponse.json({ message: 'no' }, { status: 401 })],
    ['another one while something is saved', () => new Promise<Response>(() => {})],
  ])('ends without a server error: %s', async (_, answer) => {
    const said = vi.spyOn(notifications, 'show');
    server.use(
      http.post('/api/patients', answer),
      http.get('/api/patients', () => HttpResponse.json(aPage([]))),
      http.get('/api/overview', () => HttpResponse.json({ message: 'no' }, { status: 401 })),
    );
    const { store } = await render({ at: '/patients/create' }, { user: aNurse() });
    await userEvent.type(await screen.findByLabelText(/^Nombre/), 'Ana');
    await userEvent.type(screen.getByLabelText(/^Primer apellido/), 'Ríos');
    await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
    await act(async () => {
      await store.dispatch(generatedApi.endpoints.readOverview.initiate());
    });
    expect(await screen.findByText(/Su sesión terminó/)).toBeVisible();
    await act(async () => {});
    expect(said).not.toHaveBeenCalled();
  });

  it('survives a late refusal of the old token, and retries', async () => {
    const { late, release } = await beginLate();
    await act(async () => void late.store.dispatch(tokenRenewed('token-2')));
    release();
    expect((await late.answer).data).toEqual(aPage([]));
    expect(late.store.getState().session).toMatchObject({ token: 'token-2', notice: null });
    // The same refusal of the current token ends the session.
    server.use(http.get('/api/areas', () => HttpResponse.json({ message: 'no' }, { status: 401 })));
    await late.store.dispatch(
      generatedApi.endpoints.listAreas.initiate({ limit: 100 }, { forceRefetch: true }),
    );
    expect(late.store.getState().session).toMatchObject({ token: null, notice: 'session.expired' });
  });

  it('waits for a new token that is on its way', async () => {
    const { late, release } = await beginLate();
    let renew = () => {};
    renewing(
      new Promise<void>((resolve) => {
        renew = () => {
          late.store.dispatch(tokenRenewed('token-2'));
          resolve();
        };
      }),
    );
    release();
    await late.refused;
    expect(late.store.getState().session.token).toBe('token-1');
    renew();
    expect((await late.answer).data).toEqual(aPage([]));
    expect(late.store.getState().session.token).toBe('token-2');
  });

  it('takes the new token from another tab', async () => {
    const { late, release } = await beginLate();
    localStorage.setItem('token', 'token-2');
    release();
    expect((await late.answer).data).toEqual(aPage([]));
    expect(late.store.getState().session).toMatchObject({ token: 'token-2', notice: null });
  });

  it('ends when the profile request fails with a 500', async () => {
    localStorage.setItem('token', 'abc');
    localStorage.setItem('user', JSON.stringify(aNurse()));
    server.use(http.get('/api/auth/profile', () => HttpResponse.json({ message: 'no' }, { status: 500 })));
    await render({ at: '/' });
    expect(await screen.findByRole('heading', { name: 'Iniciar sesión' })).toBeVisible();
    expect(localStorage.getItem('token')).toBeNull();
  });

  it('survives leaving before the profile loads', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {}); // React reports what the error page catches
    localStorage.setItem('token', 'abc');
    server.use(http.get('/api/auth/profile', () => HttpResponse.error()));
    const { store } = await render({ at: '/' });
    await waitFor(() =>
      expect(Object.values(store.getState().api.queries)).toContainEqual(
        expect.objectContaining({ endpointName: 'readOwnAccount', status: 'rejected' }),
      ),
    );
    await act(async () => {});
    cleanup();
    expect(localStorage.getItem('token')).toBe('abc');
  });

  it.each([
    ['no answer', () => HttpResponse.error()],
    ['an answer that the server is away', () => HttpResponse.json({ message: 'no' }, { status: 503 })],
  ])('survives %s, with the stored user until the server is back', async (_, away) => {
    localStorage.setItem('token', 'abc');
    localStorage.setItem('user', JSON.stringify(aNurse()));
    server.use(http.get('/api/auth/profile', away));
    const { store } = await render({ at: '/' });
    expect(await screen.findByRole('heading', { name: 'Inicio' })).toBeVisible();
    expect(store.getState().session).toMatchObject({ token: 'abc', verified: false });

    server.use(http.get('/api/auth/profile', () => HttpResponse.json(aSupervisor())));
    act(() => void store.dispatch(api.internalActions.onOnline()));
    await waitFor(() => expect(store.getState().session.verified).toBe(true));
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({ email: aSupervisor().email });
  });

  it('ends when the server is back and refuses the token', async () => {
    localStorage.setItem('token', 'abc');
    localStorage.setItem('user', JSON.stringify(aNurse()));
    server.use(http.get('/api/auth/profile', () => HttpResponse.error()));
    const { store } = await render({ at: '/' });
    expect(await screen.findByRole('heading', { name: 'Inicio' })).toBeVisible();
    server.use(http.get('/api/auth/profile', () => HttpResponse.json({ message: 'no' }, { status: 401 })));
    act(() => void store.dispatch(api.internalActions.onOnline()));
    expect(await screen.findByText(/Su sesión terminó/)).toBeVisible();
    expect(localStorage.getItem('token')).toBeNull();
  });

  it('survives a slow server', async () => {
    const start = window.setTimeout;
    vi.spyOn(window, 'setTimeout').mockImplementation(((call: () => void, wait?: number, ...more: []) =>
      start(call, wait === 3_000 ? 0 : wait, ...more)) as typeof window.setTimeout);
    localStorage.setItem('token', 'abc');
    localStorage.setItem('user', JSON.stringify(aNurse()));
    server.use(http.get('/api/auth/profile', () => new Promise<Response>(() => {})));
    await render({ at: '/' });
    expect(await screen.findByRole('heading', { name: 'Inicio' })).toBeVisible();
  });

  it('survives a lost connection without a stored user', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {}); // React reports what the error page catches
    localStorage.setItem('token', 'abc');
    server.use(http.get('/api/auth/profile', () => HttpResponse.error()));
    await render({ at: '/' });
    expect(await screen.findByRole('heading', { name: 'Sin conexión' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reintentar' })).toBeVisible();
    expect(localStorage.getItem('token')).toBe('abc');
  });

  it('ends on sign-out, which clears the cache', async () => {
    server.use(http.post('/api/auth/logout', () => new HttpResponse(null, { status: 204 })));
    const { store } = await render({ at: '/' }, { user: aSupervisor() });
    await screen.findByText('líneas hoy');
    await userEvent.click(await screen.findByRole('button', { name: 'Cerrar sesión' }));
    expect(await screen.findByRole('heading', { name: 'Iniciar sesión' })).toBeVisible();
    expect(Object.keys(store.getState().api.queries).filter((key) => key.includes('Ward'))).toEqual([]);
  });
});
