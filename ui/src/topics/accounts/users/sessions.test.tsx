import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { SessionView } from '@/api/generated';
import { aNurse, anAdministrator } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

const aSession = (session: Partial<SessionView>): SessionView => ({
  id: 's-1',
  address: '192.0.2.7',
  client: 'Mozilla/5.0',
  browser: 'Firefox',
  system: 'Windows',
  began_at: '2026-11-21T07:02:00Z',
  used_at: '2026-11-21T11:40:00Z',
  current: false,
  device: null,
  locked: false,
  how: 'password',
  ...session,
});

function serve(userId: number, ...sessions: SessionView[]) {
  const ended: string[] = [];
  let items = sessions;
  server.use(
    http.get(`/api/users/${userId}/sessions`, () => HttpResponse.json({ items })),
    http.delete(`/api/users/${userId}/sessions/:id`, ({ params }) => {
      ended.push(String(params.id));
      items = items.filter(({ id }) => id !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete(`/api/users/${userId}/sessions`, () => {
      ended.push('others');
      items = items.filter(({ current }) => current);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return ended;
}

it('lists sessions, and ends one', async () => {
  const ended = serve(
    3,
    aSession({ current: true }),
    aSession({ id: 's-2', browser: null, system: null, client: 'curl/8.5.0', address: '198.51.100.9' }),
    aSession({ id: 's-3', browser: 'Chrome', system: 'Android', began_at: null, used_at: null }),
  );
  await render({ at: '/users/account' }, { user: aNurse() });
  const section = await screen.findByRole('region', { name: 'Mis sesiones' });
  const [here, other, third] = within(section).getAllByRole('listitem') as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  expect(here).toHaveTextContent('Firefox en WindowsEsta sesiónDirección de red192.0.2.7Desde21 nov 2026');
  expect(within(here).queryByRole('button')).toBeNull();
  expect(other).toHaveTextContent(/curl\/8\.5\.0.*198\.51\.100\.9.*Último uso/);
  expect(third).toHaveTextContent(/^Chrome en AndroidDirección de red192.0.2.7Ingresó concontraseñaCerrar$/);
  await userEvent.click(within(other).getByRole('button', { name: 'Cerrar esta sesión: curl/8.5.0' }));
  await waitFor(() => expect(within(section).getAllByRole('listitem')).toHaveLength(2));
  expect(ended).toEqual(['s-2']);
});

it('ends all other sessions after confirmation', async () => {
  const ended = serve(3, aSession({ current: true }), aSession({ id: 's-2' }));
  await render({ at: '/users/account' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Cerrar todas las demás' }));
  const dialog = await screen.findByRole('dialog');
  expect(ended).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cerrar todas las demás' }));
  await waitFor(() => expect(ended).toEqual(['others']));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Cerrar todas las demás' })).toBeNull());
});

it('ends sessions of a managed account', async () => {
  const ended = serve(8, aSession({ id: 's-8' }), aSession({ id: 's-9' }));
  server.use(
    http.get('/api/users/8', () =>
      HttpResponse.json({ id: 8, email: 'luz@consumo.test', role: '1', staff_id: null, profile: null }),
    ),
  );
  await render({ at: '/users/8' }, { user: anAdministrator() });
  const section = await screen.findByRole('region', { name: 'Sesiones abiertas' });
  expect(within(section).getByRole('button', { name: 'Cerrar todas' })).toBeVisible();
  await userEvent.click(
    within(section).getAllByRole('button', { name: /Cerrar esta sesión/ })[1] as HTMLElement,
  );
  await waitFor(() => expect(ended).toEqual(['s-9']));
});
