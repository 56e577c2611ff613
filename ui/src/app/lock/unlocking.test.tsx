import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import type { OwnAccountView, StaffView } from '@/api/generated';
import { publicKey } from '@/device/keys';
import { putEntry } from '@/outbox/entries';
import { type ParkedPerson, parkedPeople } from '@/session/parkedPeople';
import { deviceBound, locked } from '@/session/session';
import { scan } from '@/test/keys';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const PIN = '483920';
const nurse = aNurse({ quick_unlock: true, unlock_by: ['password', 'pin'] });
const supervisor = aSupervisor({
  profile: { ...(nurse.profile as StaffView), id: 8, name: 'Marta', first_surname: 'Solís', user_id: 2 },
  quick_unlock: true,
  unlock_by: ['password', 'pin'],
});
const parkedSupervisor: ParkedPerson = {
  userId: supervisor.id,
  name: 'Marta Solís',
  email: supervisor.email,
  token: 'token-of-2',
  unlockBy: ['password', 'pin'],
  isBound: true,
};

beforeEach(() => {
  const former = window.isSecureContext;
  vi.stubGlobal('isSecureContext', true);
  return () => void vi.stubGlobal('isSecureContext', former);
});

const refusal = (code: string, message: string) =>
  HttpResponse.json({ message: [message], errors: [{ field: 'pin', code, message }] }, { status: 422 });

interface Sent {
  password?: string;
  pin?: string;
  badge?: string;
  nonce?: string;
  signature?: string;
}

/** Serve unlocking of two people with one PIN. `answer` replaces the answer to a try. */
function serve({ answer, badgeOf }: { answer?: () => Response; badgeOf?: number } = {}) {
  const tries: [string, Sent][] = [];
  const ended: string[] = [];
  const tokenOf = (request: Request) => (request.headers.get('Authorization') ?? '').slice('Bearer '.length);
  const accounts: Record<string, OwnAccountView> = { 'token-1': nurse, 'token-of-2': supervisor };
  server.use(
    http.get('/api/patients', () => HttpResponse.json(aPage([]))),
    http.get('/api/auth/profile', ({ request }) => HttpResponse.json(accounts[tokenOf(request)] ?? nurse)),
    http.post('/api/auth/nonce', ({ request }) =>
      HttpResponse.json({ nonce: `nonce of ${tokenOf(request)}` }, { status: 201 }),
    ),
    http.post('/api/auth/unlock', async ({ request }) => {
      const sent = (await request.json()) as Sent;
      tries.push([tokenOf(request), sent]);
      if (answer) return answer();
      return sent.pin === PIN || sent.password || sent.badge
        ? new HttpResponse(null, { status: 204 })
        : refusal('pin.wrong', 'PIN incorrecto. Le quedan 4 intentos.');
    }),
    http.post('/api/auth/badge', () =>
      badgeOf === undefined
        ? HttpResponse.json({ message: 'no' }, { status: 404 })
        : HttpResponse.json({ user_id: badgeOf }),
    ),
    http.post('/api/auth/logout', ({ request }) => {
      ended.push(tokenOf(request));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return { tries, ended };
}

/** Open a begun form of the nurse, and lock it. */
async function lockForm(others: ParkedPerson[] = [], isOwed = false) {
  await publicKey();
  if (others.length > 0) localStorage.setItem('people', JSON.stringify(others));
  const rendered = await render({ at: '/patients/create' }, { user: nurse });
  server.use(
    http.get('/api/auth/profile', ({ request }) =>
      HttpResponse.json(request.headers.get('Authorization') === 'Bearer token-of-2' ? supervisor : nurse),
    ),
  );
  await userEvent.type(await screen.findByLabelText(/^Nombre/), 'Inés');
  act(() => {
    rendered.store.dispatch(deviceBound('token-1'));
    rendered.store.dispatch(locked());
  });
  await screen.findByRole('dialog');
  await waitFor(() => expect(rendered.store.getState().session.lockOwed).toBe(isOwed));
  return rendered;
}

const pinField = () => screen.findByLabelText(/^PIN de/);
const isUnlocked = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
const choose = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name: new RegExp(name) }));

it('unlocks with six keys, signed by this device', async () => {
  const { tries } = serve();
  await lockForm();
  expect(await pinField()).toHaveFocus();
  await userEvent.keyboard(PIN);
  await isUnlocked();
  expect(tries).toEqual([
    ['token-1', { pin: PIN, nonce: 'nonce of token-1', signature: expect.stringMatching(/^[\w-]{86}$/) }],
  ]);
  expect(screen.getByLabelText(/^Nombre/)).toHaveValue('Inés');
});

it('unlocks by touch, and erases a digit', async () => {
  const { tries } = serve();
  await lockForm();
  await pinField();
  const key = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  await key('4');
  await key('7');
  expect(screen.getByRole('status')).toHaveTextContent('2 de 6 cifras');
  await key('Borrar la última cifra');
  for (const digit of PIN.slice(1)) await key(digit);
  await isUnlocked();
  expect(tries.map(([, { pin }]) => pin)).toEqual([PIN]);
});

it('shows no digit in the document', async () => {
  serve();
  await lockForm();
  await pinField();
  await userEvent.keyboard('48392');
  expect(await pinField()).toHaveValue('•••••');
  expect(document.documentElement.outerHTML).not.toContain('48392');
});

it('tells how many tries are left, and takes another', async () => {
  const { tries } = serve();
  await lockForm();
  await pinField();
  await userEvent.keyboard('111222');
  expect(await screen.findByText('PIN incorrecto. Le quedan 4 intentos.')).toBeVisible();
  expect(await pinField()).toHaveValue('');
  expect(await pinField()).toHaveAccessibleDescription('PIN incorrecto. Le quedan 4 intentos.');
  await userEvent.keyboard(PIN);
  await isUnlocked();
  expect(tries).toHaveLength(2);
});

it.each([
  ['pin.exhausted', 'Ya no se aceptan más intentos. Use su contraseña.'],
  ['pin.not_here', 'El PIN no sirve en este equipo. Use su contraseña.'],
  ['unlock.not_for_role', 'Use su contraseña.'],
])('asks for the password after %s', async (code, message) => {
  serve({ answer: () => refusal(code, message) });
  await lockForm();
  await pinField();
  await userEvent.keyboard(PIN);
  expect(await screen.findByLabelText('Contraseña')).toHaveFocus();
  expect(screen.getByText(message)).toBeVisible();
});

it('says that only the server knows the PIN if it does not answer', async () => {
  serve({ answer: () => HttpResponse.error() });
  await lockForm();
  await pinField();
  await userEvent.keyboard(PIN);
  expect((await screen.findAllByText(/^Sin conexión no se puede desbloquear/)).length).toBeGreaterThan(0);
  expect(await pinField()).toHaveValue('');
});

it.each([
  ['this device has no key', () => void indexedDB.deleteDatabase('consumo')],
  ['the browser cannot sign', () => void vi.stubGlobal('isSecureContext', false)],
])('unlocks with the password if %s', async (_, prepare) => {
  const { tries } = serve();
  await lockForm();
  await pinField();
  await act(prepare);
  if (!window.isSecureContext)
    await userEvent.click(screen.getByRole('button', { name: 'Usar la contraseña' }));
  else await userEvent.click(screen.getByRole('button', { name: 'Usar la contraseña' }));
  await userEvent.type(await screen.findByLabelText('Contraseña'), 'consumo-demo-2026{Enter}');
  await isUnlocked();
  expect(tries).toEqual([['token-1', { password: 'consumo-demo-2026' }]]);
});

it('shows who has a session and how much waits, and nothing of it', async () => {
  serve();
  const entry = {
    key: 'k-1',
    user_id: supervisor.id,
    user_name: 'Marta S.',
    sheet_id: 1,
    items: [{ product: { name: 'Gasa' } }],
    occurred_at: '2026-11-25T10:00:00Z',
    state: 'waiting',
    tries: 0,
  };
  await putEntry(entry as unknown as Parameters<typeof putEntry>[0]);
  await lockForm([parkedSupervisor]);
  expect(screen.getByRole('dialog', { name: '¿Quién?' })).toBeVisible();
  const names = within(await screen.findByRole('list')).getAllByRole('listitem');
  expect(names.map((one) => one.querySelector('button')?.textContent)).toEqual([
    'Lucía Paredes',
    'Marta Solís1 sin enviar',
  ]);
  expect(document.body.textContent).not.toContain('Gasa');
});

it('hands the screen to another person and back, each at their place', async () => {
  const { tries, ended } = serve();
  const { router, store } = await lockForm([parkedSupervisor]);
  await choose('Marta Solís');
  await userEvent.keyboard(PIN);
  await isUnlocked();
  expect(await screen.findByRole('heading', { name: 'Inicio' })).toBeVisible();
  expect(store.getState().session).toMatchObject({ token: 'token-of-2', user: { id: supervisor.id } });
  expect(parkedPeople().map(({ userId }) => userId)).toEqual([nurse.id]);
  await act(() => router.navigate('/patients'));

  act(() => void store.dispatch(locked()));
  await screen.findByRole('dialog');
  await waitFor(() => expect(store.getState().session.lockOwed).toBe(false));
  await choose('Lucía Paredes');
  await userEvent.keyboard(PIN);
  await isUnlocked();
  await waitFor(() => expect(router.state.location.pathname).toBe('/patients/create'));
  expect(await screen.findByLabelText(/^Nombre/)).toHaveValue('Inés');
  expect(tries.map(([token]) => token)).toEqual(['token-of-2', 'token-1']);
  expect(ended).toEqual([]);
});

it('signs in a person whose parked session was ended elsewhere', async () => {
  const { tries } = serve({
    answer: () => HttpResponse.json({ message: 'no' }, { status: 401 }) as Response,
  });
  server.use(
    http.post('/api/auth/login', async ({ request }) => {
      expect(await request.json()).toEqual({ email: supervisor.email, password: 'consumo-demo-2026' });
      return HttpResponse.json({ access_token: 'token-of-2' }, { status: 201 });
    }),
  );
  const { store } = await lockForm([{ ...parkedSupervisor, token: 'ended' }]);
  await choose('Marta Solís');
  await userEvent.keyboard(PIN);
  expect(await screen.findByText('Su sesión terminó. Use su contraseña.')).toBeVisible();
  expect(store.getState().session.token).toBe('token-1');
  await userEvent.type(screen.getByLabelText('Contraseña'), 'consumo-demo-2026{Enter}');
  await isUnlocked();
  expect(store.getState().session).toMatchObject({ token: 'token-of-2', isBound: false });
  expect(tries.map(([token]) => token)).toEqual(['ended', 'ended']);
});

it('removes a person from this device after a question', async () => {
  const { ended } = serve();
  await lockForm([parkedSupervisor]);
  await choose('Marta Solís');
  await userEvent.click(screen.getByRole('button', { name: 'Quitar de este equipo' }));
  expect(screen.getByText(/¿Quitar a Marta Solís de este equipo\?/)).toBeVisible();
  expect(ended).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Quitar de este equipo' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /Marta/ })).toBeNull());
  expect(ended).toEqual(['token-of-2']);
  expect(parkedPeople()).toEqual([]);
});

it('lets another person sign in, and the parked one come back with the PIN', async () => {
  const { ended } = serve();
  const { router, store } = await lockForm();
  await userEvent.click(screen.getByRole('button', { name: 'Otra persona' }));
  expect(await screen.findByRole('heading', { name: 'Iniciar sesión' })).toBeVisible();
  expect(ended).toEqual([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Lucía Paredes' }));
  await userEvent.keyboard(PIN);
  await waitFor(() => expect(router.state.location.pathname).toBe('/patients/create'));
  expect(await screen.findByLabelText(/^Nombre/)).toHaveValue('Inés');
  expect(store.getState().session.parked).toEqual([]);
});

it('lets another person sign in while the lock is on its way', async () => {
  serve();
  let confirm = () => {};
  const isConfirmed = new Promise<void>((resolve) => {
    confirm = resolve;
  });
  server.use(
    http.post('/api/auth/lock', async () => {
      await isConfirmed;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await lockForm([], true);
  await userEvent.click(screen.getByRole('button', { name: 'Otra persona' }));
  confirm();
  expect(await screen.findByRole('heading', { name: 'Iniciar sesión' })).toBeVisible();
});

it('shows the keypad of the person whose badge is scanned, and sends no PIN', async () => {
  const { tries } = serve({ badgeOf: supervisor.id });
  await lockForm([parkedSupervisor]);
  expect(await screen.findByLabelText('PIN de Lucía Paredes')).toHaveFocus();
  await scan('98765432');
  expect(await screen.findByLabelText('PIN de Marta Solís')).toHaveFocus();
  expect(await pinField()).toHaveValue('');
  expect(tries).toEqual([]);
});

it('unlocks with the badge alone where the hospital allows it', async () => {
  const { tries } = serve({ badgeOf: supervisor.id });
  const { store } = await lockForm([{ ...parkedSupervisor, unlockBy: ['password', 'pin', 'badge'] }]);
  await pinField();
  await scan('98765432');
  await isUnlocked();
  expect(tries).toMatchObject([['token-of-2', { badge: '98765432', nonce: 'nonce of token-of-2' }]]);
  expect(store.getState().session.token).toBe('token-of-2');
});

it('says that no person here has the badge', async () => {
  serve();
  await lockForm();
  await pinField();
  await scan('98765432');
  expect(await screen.findByText(/^Esta credencial no es de ninguna persona/)).toBeVisible();
});

it('reads nothing of the account after a reload before it is unlocked', async () => {
  serve();
  const asked: string[] = [];
  const note = ({ request }: { request: Request }) => asked.push(new URL(request.url).pathname);
  server.events.on('request:start', note);
  localStorage.setItem('token', 'token-1');
  localStorage.setItem('user', JSON.stringify(nurse));
  localStorage.setItem('covered', 'owed');
  await render({ at: '/patients/create' });
  await screen.findByRole('dialog');
  await waitFor(() => expect(localStorage.getItem('covered')).toBe('yes'));
  fireEvent(window, new Event('online'));
  expect(asked.filter((path) => path !== '/api/settings')).toEqual(['/api/auth/lock']);
  server.events.removeListener('request:start', note);
});
