import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import type { OwnAccountView, WardView } from '@/api/generated';
import type { OutboxLine } from '@/outbox/outboxSlice';
import { aNurse } from '@/test/people';
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

const tiles = async () => (await screen.findAllByRole('listitem')).map((tile) => tile.textContent);

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
  expect(first).toHaveTextContent(/^201-A Quispe Mamani, María 41 años · HC-104 3 hoy · hace 25 min$/);
  expect(first).toHaveAccessibleName(/Líneas de los últimos 7 días, hoy al final: 0, 0, 0, 9, 8, 4, 3/);
  expect(second).toHaveTextContent(
    /^201-A Gil, Luz última el 19 nov Alta anunciada2 fuera de catálogoNada hoyUsted registra$/,
  );
});

it.each([
  [aNurse(), '/consumption-sheets/create?room=7'],
  [aNurse({ permissions: ['sheets.read'] }), null],
])('opens a sheet in a free room, if permitted', async (user, href) => {
  serve({
    rooms: [aWardRoom({ id: 7, name: '202', status: 1 }), aWardRoom({ id: 8, name: '203', status: 3 })],
  });
  await render({ at: '/' }, { user });
  expect(await tiles()).toEqual(expect.arrayContaining(['202 Libre', '203 En limpieza']));
  const link = screen.queryByRole('link', { name: '202, Libre. Nueva hoja' });
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
  const question = within(await screen.findByRole('region', { name: '¿Dónde trabaja hoy?' }));
  expect(question.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Cirugía',
    'Pediatría',
    'Todo el hospital',
  ]);
  expect(asked).toEqual([null]);
  await userEvent.click(question.getByRole('button', { name: 'Pediatría' }));
  const place = await screen.findByRole('button', { name: 'Pediatría', expanded: false });
  expect(screen.queryByRole('region', { name: '¿Dónde trabaja hoy?' })).toBeNull();
  await waitFor(() => expect(asked).toEqual([null, '3']));

  await userEvent.click(place);
  const again = within(await screen.findByRole('region', { name: '¿Dónde trabaja hoy?' }));
  expect(again.getByRole('button', { name: 'Pediatría' })).toHaveAttribute('aria-pressed', 'true');
  await userEvent.click(again.getByRole('button', { name: 'Todo el hospital' }));
  expect(await screen.findByRole('button', { name: 'Todo el hospital', expanded: false })).toBeVisible();
  expect(sent).toEqual([{ area_id: 3 }, { area_id: null }]);
});

it('asks nothing in a hospital with one area', async () => {
  serve({ areas: [{ id: 2, name: 'Cirugía' }] });
  await render({ at: '/' }, { user: aNurse({ ward: null }) });
  expect(await screen.findByText('Aquí no hay habitaciones en servicio.')).toBeVisible();
  expect(screen.queryByRole('region', { name: '¿Dónde trabaja hoy?' })).toBeNull();
});

it('says that no sheet is open, and that there are more rooms', async () => {
  serve({ rooms: [aWardRoom({ status: 1 })], more_rooms: true });
  await render({ at: '/' }, { user: aNurse() });
  expect(await screen.findByText(/^No hay hojas abiertas/)).toBeVisible();
  expect(screen.getByText(/^Se muestran las primeras 1 habitaciones/)).toBeVisible();
});

it('counts the unsent lines of each sheet', () => {
  const line = (sheetId: number, status: OutboxLine['status'], items: number) =>
    ({ sheetId, status, items: Array(items).fill({}) }) as OutboxLine;
  const lines = [line(4, 'waiting', 7), line(4, 'refused', 1), line(4, 'recorded', 2), line(6, 'sending', 1)];
  expect(Object.fromEntries(countUnsent(lines))).toEqual({ 4: 8, 6: 1 });
});
