import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import type { OwnAccountView, WardSheetView, WardView } from '@/api/generated';
import { api } from '@/api/tags';
import type { OutboxLine } from '@/outbox/outboxSlice';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aWard, aWardRoom, aWardSheet } from '@/test/wardBoard';
import { countUnsent } from './countUnsent';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
});

/** Serve the ward; returns the areas that were asked for. */
function serve(change: Partial<WardView>) {
  const asked: (string | null)[] = [];
  server.use(
    http.get('/api/ward', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('area_id'));
      return HttpResponse.json(aWard(change));
    }),
  );
  return asked;
}

const surgery = { area: aWardRoom().area };
const tiles = async () => (await screen.findAllByRole('listitem')).map((tile) => tile.textContent);

it.each([
  [{ lines_today: 0, last_recorded_at: '2026-11-20T22:40:00Z' }, /HC-104 última ayer, 22:40 Nada hoy$/],
  [{ lines_today: 0, last_recorded_at: null }, /HC-104 Sin líneas Nada hoy$/],
  [{ lines_today: 1, last_recorded_at: '2026-11-21T08:30:00Z' }, /HC-104 1 hoy hace 3 h$/],
])('says when the last line was recorded: %o', async (change, said) => {
  serve({ rooms: [aWardRoom({ name: 'Habitación 201', sheets: [aWardSheet(change)] })] });
  await render({ at: '/' }, { user: aNurse() });
  expect(await screen.findByRole('link', { name: /^Habitación 201 Quispe/ })).toHaveTextContent(said);
});

it('groups the rooms of a whole hospital by area', async () => {
  serve({
    rooms: [
      aWardRoom({ area: { id: 3, name: 'Pediatría' }, name: '1', sheets: [aWardSheet({ id: 1 })] }),
      aWardRoom({ id: 6, name: '2', sheets: [aWardSheet({ id: 2 })] }),
      aWardRoom({ id: 7, area: { id: 3, name: 'Pediatría' }, name: '3', sheets: [aWardSheet({ id: 3 })] }),
    ],
  });
  await render({ at: '/' }, { user: aNurse() });
  const rooms = async (name: string) =>
    within(await screen.findByRole('region', { name }))
      .getAllByRole('link')
      .map(({ textContent }) => textContent?.trim().charAt(0));
  expect(await rooms('Cirugía')).toEqual(['2']);
  expect(await rooms('Pediatría')).toEqual(['1', '3']);
});

it('shows each bed with its patient, age, lines and marks', async () => {
  const other = { ...aWardSheet().patient, name: 'Luz', first_surname: 'Gil', second_surname: null };
  const quiet = aWardSheet({
    id: 6,
    patient: { ...other, date_of_birth: null, record_number: null },
    lines_today: 0,
    last_recorded_at: '2026-11-19T10:00:00Z',
    discharge_proposed: true,
    unlisted_items: 2,
    mine: true,
  });
  serve({ rooms: [aWardRoom({ sheets: [aWardSheet(), quiet] })] });
  await render({ at: '/' }, { user: aNurse() });
  const [first, second] = await screen.findAllByRole('link', { name: /^201-A/ });
  expect(first).toHaveAttribute('href', '/consumption-sheet-details/4/consumption-details');
  expect(first).toHaveTextContent(/^201-A Quispe Mamani, María 41 años HC-104 3 hoy hace 25 min$/);
  // The two most urgent marks.
  expect(second).toHaveTextContent(/^201-A Gil, Luz última el 19 nov Alta propuesta2 fuera de catálogo$/);
});

it.each([
  [aNurse({ ward: surgery }), '/consumption-sheets/create?room=7'],
  [aNurse({ ward: surgery, permissions: ['sheets.read'] }), null],
])('opens a sheet in a free room, if permitted', async (user, href) => {
  serve({
    rooms: [
      aWardRoom({ id: 7, name: '202', status: 1 }),
      aWardRoom({ id: 8, name: '203', status: 3 }),
      aWardRoom({ id: 9, name: '204', status: 4 }),
    ],
  });
  await render({ at: '/' }, { user });
  expect((await tiles()).map((text) => text?.replace(' Nueva hoja', '').trim())).toEqual([
    '202 Libre',
    '203 En limpieza',
    '204 Fuera de servicio',
  ]);
  expect(screen.queryByRole('link', { name: /^204/ })).toBeNull();
  const link = screen.queryByRole('link', { name: '202 Libre Nueva hoja' });
  expect(link?.getAttribute('href') ?? null).toBe(href);
});

/** Serve an account that keeps the chosen ward; returns the request bodies. */
function serveChoice(user: OwnAccountView) {
  const sent: unknown[] = [];
  let ward = user.ward;
  server.use(
    http.get('/api/auth/profile', () => HttpResponse.json({ ...user, ward })),
    http.put('/api/users/account/ward', async ({ request }) => {
      const body = (await request.json()) as { area_id: number | null };
      sent.push(body);
      ward = { area: aWard().areas.find(({ id }) => id === body.area_id) ?? null };
      return HttpResponse.json(ward);
    }),
  );
  return sent;
}

it('asks once where the user works, and can be changed', async () => {
  const asked = serve({ rooms: [aWardRoom({ sheets: [aWardSheet()] })] });
  const user = aNurse({ ward: null });
  await render({ at: '/' }, { user });
  const sent = serveChoice(user);
  expect(await screen.findByText('¿Dónde trabaja hoy?')).toBeVisible();
  expect(asked).toEqual([null]);
  await userEvent.click(screen.getByRole('button', { name: 'Elija su área' }));
  const choices = await screen.findAllByRole('menuitemradio');
  expect(choices.map(({ textContent }) => textContent)).toEqual(['Cirugía', 'Pediatría', 'Todo el hospital']);
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Pediatría' }));
  const title = await screen.findByRole('button', { name: 'Pediatría: cambiar de área' });
  expect(screen.queryByText('¿Dónde trabaja hoy?')).toBeNull();
  await waitFor(() => expect(asked).toEqual([null, '3']));
  await waitFor(() => expect(title).toHaveFocus());

  await userEvent.click(title);
  expect(await screen.findByRole('menuitemradio', { name: 'Pediatría', checked: true })).toBeVisible();
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Todo el hospital' }));
  expect(await screen.findByRole('button', { name: 'Todo el hospital: cambiar de área' })).toBeVisible();
  expect(sent).toEqual([{ area_id: 3 }, { area_id: null }]);
});

it('asks nothing in a hospital with one area', async () => {
  serve({ areas: [{ id: 2, name: 'Cirugía' }] });
  await render({ at: '/' }, { user: aNurse({ ward: null }) });
  expect(await screen.findByRole('heading', { name: 'Todo el hospital' })).toBeVisible();
  expect(screen.queryByText('¿Dónde trabaja hoy?')).toBeNull();
  expect(screen.queryByRole('button', { name: /cambiar de área/ })).toBeNull();
});

it('keeps the whole board when the network goes, and says so', async () => {
  serve({ rooms: [aWardRoom({ sheets: [aWardSheet()] }), aWardRoom({ id: 6, name: '202', status: 1 })] });
  const { store } = await render({ at: '/' }, { user: aNurse() });
  expect(await screen.findByRole('link', { name: '202 Libre Nueva hoja' })).toBeVisible();
  const copy = { ...aWard(), seen_at: '2026-11-21T09:00:00Z', is_partial: true };
  serve(copy);
  await store.dispatch(api.endpoints.readWard.initiate({}, { forceRefetch: true, subscribe: false }));
  expect(await screen.findByText('Sin conexión. Se muestran los datos de las 12:00.')).toBeVisible();
  expect(screen.getByRole('link', { name: '202 Libre Nueva hoja' })).toBeVisible();
});

it('shows what the device keeps, and says what is missing', async () => {
  serve({
    rooms: [aWardRoom({ sheets: [{ ...aWardSheet(), lines_missing: true } as WardSheetView] })],
    seen_at: '2026-11-21T09:00:00Z',
    is_partial: true,
  } as Partial<WardView>);
  await render({ at: '/' }, { user: aSupervisor() });
  expect(await screen.findByText(/^Sin conexión\. .* las 09:00\. Solo están las hojas/)).toBeVisible();
  const bed = screen.getByRole('link', { name: /^201-A/ });
  expect(bed).toHaveTextContent(/HC-104 3 hoy$/);
  expect(screen.getByRole('region', { name: 'Hoy' })).toHaveTextContent(/^1 paciente$/);
  expect(screen.queryByRole('button', { name: /cambiar de área/ })).toBeNull();
  expect(screen.queryByRole('heading', { name: 'Consumo' })).toBeNull();
});

it('says that no sheet is open, and that there are more rooms', async () => {
  serve({ rooms: [aWardRoom({ status: 1 })], more_rooms: true });
  await render({ at: '/' }, { user: aNurse({ ward: surgery }) });
  expect(await screen.findByText(/^No hay hojas abiertas/)).toBeVisible();
  expect(screen.getByText(/^Se muestran las primeras 1 habitaciones/)).toBeVisible();
});

it('counts the unsent lines of each sheet', () => {
  const line = (sheetId: number, status: OutboxLine['status'], items: number) =>
    ({ sheetId, status, items: Array(items).fill({}) }) as OutboxLine;
  const lines = [line(4, 'waiting', 7), line(4, 'refused', 1), line(4, 'recorded', 2), line(6, 'sending', 1)];
  expect(Object.fromEntries(countUnsent(lines))).toEqual({ 4: 8, 6: 1 });
});
