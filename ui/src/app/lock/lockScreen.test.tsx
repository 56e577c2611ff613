import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { reached, unreachable } from '@/outbox/outboxSlice';
import { storedSession } from '@/session/session';
import { aNurse, anAdministrator } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const MINUTES = 60_000;
const nurse = aNurse({ quick_unlock: false });

/** Simulate this many minutes without input. */
function idle(minutes: number) {
  localStorage.setItem('active', String(Date.now() - minutes * MINUTES));
  fireEvent(document, new Event('visibilitychange'));
}

/** Serve unlocking. `session` says whether the session is still valid. */
function serve({ password = 'consumo-demo-2026', session = true, role = nurse.role } = {}) {
  const asked: string[] = [];
  const account = { ...nurse, role };
  server.use(
    http.get('/api/patients', () => HttpResponse.json(aPage([]))),
    http.post('/api/auth/unlock', async ({ request }) => {
      asked.push('unlock');
      const sent = (await request.json()) as { password: string };
      if (!session) return HttpResponse.json({ message: 'no' }, { status: 401 });
      const message = 'Escriba su contraseña actual: no es correcta.';
      return sent.password === password
        ? new HttpResponse(null, { status: 204 })
        : HttpResponse.json(
            { message: [message], errors: [{ field: 'password', code: 'password.wrong', message }] },
            { status: 422 },
          );
    }),
    http.post('/api/auth/login', async ({ request }) => {
      const sent = (await request.json()) as { email: string; password: string };
      asked.push(`login ${sent.email}`);
      return sent.password === password
        ? HttpResponse.json({ access_token: 'token-2' }, { status: 201 })
        : HttpResponse.json({ message: 'no' }, { status: 404 });
    }),
    http.post('/api/auth/logout', () => {
      asked.push('logout');
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('/api/auth/profile', () => HttpResponse.json(account)),
  );
  return asked;
}

const lockScreen = () => screen.findByRole('dialog', { name: 'Pantalla bloqueada' });
const name = () => screen.getByLabelText(/^Nombre/);

async function begunForm() {
  const rendered = await render({ at: '/patients/create' }, { user: nurse });
  await userEvent.type(await screen.findByLabelText(/^Nombre/), 'Inés');
  return rendered;
}

async function giveOwn(password = 'consumo-demo-2026') {
  await userEvent.type(screen.getByLabelText('Contraseña'), `${password}{Enter}`);
}

it('waits for an unreachable server to answer', async () => {
  serve();
  const { store } = await begunForm();
  act(() => void store.dispatch(unreachable('2026-11-21T14:02:00Z')));
  idle(60);
  expect(screen.queryByRole('dialog')).toBeNull();
  act(() => void store.dispatch(reached()));
  expect(await lockScreen()).toBeVisible();
});

it('locks after the idle time, and not before', async () => {
  serve();
  await begunForm();
  idle(14.9);
  expect(screen.queryByRole('dialog')).toBeNull();
  idle(15);
  expect(await lockScreen()).toBeVisible();
  expect(localStorage.getItem('covered')).not.toBeNull();
  expect(screen.getByLabelText('Contraseña')).toHaveFocus();
});

it.each([
  [0, 999, false],
  [2, 1.9, false],
  [2, 2, true],
])('locks after %d idle minutes; after %d minutes: %s', async (idle_minutes, after, expected) => {
  serve();
  server.use(
    http.get('/api/settings', () => HttpResponse.json({ currency: 'USD', time_zone: 'UTC', idle_minutes })),
  );
  await begunForm();
  idle(after);
  expect(Boolean(screen.queryByRole('dialog'))).toBe(expected);
});

it('detaches all content, and restores it with the password', async () => {
  serve();
  await begunForm();
  const field = name();
  const page = field.closest('body > *') as HTMLElement;
  const list = field.closest('form') as HTMLElement;
  list.scrollTop = 40;
  const dialog = document.body.appendChild(document.createElement('div'));
  dialog.append('Inés Álvarez');
  field.focus();
  idle(15);
  await lockScreen();
  expect(field.isConnected).toBe(false);
  // A browser resets the scroll position of elements outside the document.
  list.scrollTop = 0;
  const toast = document.body.appendChild(document.createElement('div'));
  toast.append('Inés Álvarez');
  await waitFor(() => expect(toast.isConnected).toBe(false));
  expect(document.documentElement.outerHTML).not.toContain('Inés');
  expect(document.title).not.toContain('Inés');
  const heard: string[] = [];
  const listen = ({ key }: KeyboardEvent) => heard.push(key);
  window.addEventListener('keydown', listen, true);
  await giveOwn();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  window.removeEventListener('keydown', listen, true);
  expect(heard).toEqual([]);
  for (const element of [page, dialog, toast]) expect(element.parentElement).toBe(document.body);
  expect(page.compareDocumentPosition(dialog)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  dialog.remove();
  toast.remove();
  // It is the same element, not a new one.
  expect(name()).toBe(field);
  expect(name()).toHaveValue('Inés');
  expect(name()).toHaveFocus();
  expect(list.scrollTop).toBe(40);
  expect(localStorage.getItem('covered')).toBeNull();
});

it('shows no patient from a page that loads behind it', async () => {
  serve();
  localStorage.setItem('token', 'token-1');
  localStorage.setItem('user', JSON.stringify(nurse));
  localStorage.setItem('covered', 'yes');
  let answered = false;
  server.use(
    http.get('/api/patients', () => {
      answered = true;
      return HttpResponse.json(
        aPage([{ id: 1, name: 'Inés', first_surname: 'Álvarez', active: 1, open_sheets: 1 }]),
      );
    }),
  );
  await render({ at: '/patients' });
  await lockScreen();
  await waitFor(() => expect(answered).toBe(true));
  expect(document.documentElement.outerHTML).not.toContain('Álvarez');
  await giveOwn();
  expect((await screen.findAllByText(/Álvarez/)).length).toBeGreaterThan(0);
});

it('stays locked after a wrong password, and says so', async () => {
  serve();
  await begunForm();
  idle(15);
  await lockScreen();
  await userEvent.click(screen.getByRole('button', { name: 'Continuar' }));
  expect(screen.getByLabelText('Contraseña')).toHaveAccessibleDescription('Este dato es obligatorio.');
  await giveOwn('otra');
  expect(await screen.findByText(/no es correcta/)).toBeVisible();
  expect(screen.getByLabelText('Contraseña')).toHaveValue('');
  expect(screen.getByRole('dialog')).toBeVisible();
});

it('signs in again after the session ended, and keeps the work', async () => {
  const asked = serve({ session: false });
  const { store } = await begunForm();
  idle(15);
  await lockScreen();
  await giveOwn('otra');
  expect(await screen.findByText('La contraseña no es correcta.')).toBeVisible();
  await giveOwn();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toEqual(['unlock', `login ${nurse.email}`, 'unlock', `login ${nurse.email}`]);
  expect(store.getState().session).toMatchObject({ token: 'token-2', verified: true });
  expect(name()).toHaveValue('Inés');
});

it('stays locked after a reload', async () => {
  serve();
  localStorage.setItem('token', 'token-1');
  localStorage.setItem('user', JSON.stringify(nurse));
  localStorage.setItem('covered', 'yes');
  await render({ at: '/patients/create' });
  expect(await lockScreen()).toBeVisible();
});

it('locks when the browser is reopened after the idle time', async () => {
  serve();
  localStorage.setItem('token', 'token-1');
  localStorage.setItem('user', JSON.stringify(nurse));
  localStorage.setItem('active', String(Date.now() - 60 * MINUTES));
  await render({ at: '/patients/create' });
  expect(await lockScreen()).toBeVisible();
});

it('unlocks all tabs from one, and keeps the work in each', async () => {
  serve();
  const { store } = await begunForm();
  idle(15);
  await lockScreen();
  // Another tab signed in again.
  localStorage.setItem('token', 'token-2');
  localStorage.removeItem('covered');
  await act(async () => {
    store.dispatch({ type: 'session/sessionChangedElsewhere', payload: storedSession() });
  });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(name()).toHaveValue('Inés');
  expect(store.getState().session).toMatchObject({ token: 'token-2', verified: true });
});

it('lets another user sign in, and keeps the owner’s entries', async () => {
  const asked = serve();
  const { router, store } = await begunForm();
  idle(15);
  await lockScreen();
  await userEvent.click(screen.getByRole('button', { name: 'Otra persona' }));
  expect(await screen.findByRole('heading', { name: 'Iniciar sesión' })).toBeVisible();
  expect(asked).toEqual(['logout']);
  expect(store.getState().session).toMatchObject({ token: null, locked: false });

  const come = async (user: typeof nurse) => {
    server.use(http.get('/api/auth/profile', () => HttpResponse.json(user)));
    const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
    fill(await screen.findByLabelText('Correo electrónico'), user.email);
    fill(screen.getByLabelText('Contraseña'), 'consumo-demo-2026');
    fireEvent.click(screen.getByRole('button', { name: 'Ingresar' }));
  };
  await come(anAdministrator());
  expect(await screen.findByRole('heading', { name: 'Inicio' })).toBeVisible();
  await act(() => router.navigate('/patients/create'));
  expect(await screen.findByLabelText(/^Nombre/)).toHaveValue('');
  await act(() => router.navigate('/'));
  fireEvent.click(await screen.findByRole('button', { name: 'Cerrar sesión' }));
  await come(nurse);
  await waitFor(() => expect(router.state.location.pathname).toBe('/patients/create'));
  expect(await screen.findByLabelText(/^Nombre/)).toHaveValue('Inés');
});
