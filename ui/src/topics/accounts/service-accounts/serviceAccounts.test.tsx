import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { ApiKeyView, ServiceAccountView } from '@/api/generated';
import { anAdministrator, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

const key: ApiKeyView = {
  id: 3,
  name: 'Integración',
  prefix: '4nfRnGTC',
  scopes: ['sheets.read', 'prices.see'],
  networks: ['10.0.0.0/24'],
  created_at: '2026-11-20T14:05:00Z',
  created_by: { id: 1, email: 'admin@consumo.test' },
  expires_at: null,
  used_at: null,
  refused_at: null,
  refused_address: null,
  revoked_at: null,
};
const his: ServiceAccountView = { id: 9, name: 'Sistema de admisiones', keys: [key] };
const secret = `cns_4nfRnGTC${'x'.repeat(38)}`;

/** Serve these programs, and collect the requests. */
function servePrograms(...items: ServiceAccountView[]) {
  const sent: { method: string; path: string; body?: unknown }[] = [];
  const note = async (request: Request) => {
    const text = await request.text();
    sent.push({
      method: request.method,
      path: new URL(request.url).pathname,
      ...(text && { body: JSON.parse(text) }),
    });
  };
  server.use(
    http.get('/api/service-accounts', () =>
      HttpResponse.json({ items, scopes: ['sheets.read', 'prices.see', 'patients.read'] }),
    ),
    http.post('/api/service-accounts', async ({ request }) => {
      await note(request);
      return HttpResponse.json({ ...his, keys: [] }, { status: 201 });
    }),
    http.put('/api/service-accounts/9', async ({ request }) => {
      await note(request);
      return HttpResponse.json(his);
    }),
    http.delete('/api/service-accounts/9', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('/api/service-accounts/9/keys', async ({ request }) => {
      await note(request);
      return HttpResponse.json({ key, secret }, { status: 201 });
    }),
    http.delete('/api/keys/3', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

it.each([
  ['es', 'Rechazada por su red', 'desde 192.0.2.9'],
  ['en', 'Refused for its network', 'from 192.0.2.9'],
] as const)('shows from where a key was refused (%s)', async (language, label, from) => {
  const refused = { ...key, refused_at: '2026-11-21T09:00:00Z', refused_address: '192.0.2.9' };
  servePrograms({ ...his, keys: [refused, { ...key, id: 2, name: 'Otra' }] });
  await render({ at: '/service-accounts' }, { user: anAdministrator(), language });
  const [first, other] = await screen.findAllByRole('listitem');
  expect(first).toHaveTextContent(label);
  expect(first).toHaveTextContent(from);
  expect(other).not.toHaveTextContent(label);
});

it("lists programs with their keys' scopes, networks and use", async () => {
  servePrograms(
    {
      ...his,
      keys: [key, { ...key, id: 2, name: 'La de antes', revoked_at: '2026-11-21T09:00:00Z' }],
    },
    { id: 10, name: 'Tablero', keys: [] },
  );
  await render({ at: '/service-accounts' }, { user: anAdministrator() });
  const program = await screen.findByRole('region', { name: 'Sistema de admisiones' });
  const [works, revoked] = within(program).getAllByRole('listitem');
  expect(works).toHaveTextContent('Leer hojas y líneas, Ver precios y totales');
  expect(works).toHaveTextContent('10.0.0.0/24');
  expect(works).toHaveTextContent('Último usonunca');
  expect(
    within(works as HTMLElement).getByRole('button', { name: 'Revocar la clave Integración' }),
  ).toBeVisible();
  expect(revoked).toHaveTextContent('Revocada el');
  expect(within(revoked as HTMLElement).queryByRole('button')).toBeNull();
  expect(screen.getByRole('region', { name: 'Tablero' })).toHaveTextContent('Sin claves');
});

it('creates a key with scopes, and shows its secret once', async () => {
  const sent = servePrograms(his);
  await render({ at: '/service-accounts/9/keys/create' }, { user: anAdministrator() });
  await userEvent.type(await screen.findByLabelText(/^Nombre de la clave/), 'Lectura');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Elija al menos un permiso.')).toBeVisible();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Leer pacientes' }));
  await userEvent.type(screen.getByLabelText(/^Redes/), '10.0.0.0/24, 10.1.0.7');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByLabelText('Clave')).toHaveValue(secret);
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/api/service-accounts/9/keys',
      body: { name: 'Lectura', scopes: ['patients.read'], networks: ['10.0.0.0/24', '10.1.0.7'] },
    },
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Listo' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent('¿Salir sin copiar la clave?');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Salir sin copiar' }));
  expect(await screen.findByRole('region', { name: 'Sistema de admisiones' })).toBeVisible();
  expect(document.body).not.toHaveTextContent(secret);
});

it('revokes a key, renames and deletes a program', async () => {
  const sent = servePrograms(his);
  await render({ at: '/service-accounts' }, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('button', { name: 'Revocar la clave Integración' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revocar' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  await userEvent.click(screen.getByRole('button', { name: 'Más acciones: Sistema de admisiones' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Cambiar nombre' }));
  const name = await screen.findByLabelText(/^Nombre/);
  await userEvent.clear(name);
  await userEvent.type(name, 'HIS');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  await userEvent.click(screen.getByRole('button', { name: 'Más acciones: Sistema de admisiones' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Eliminar sistema' }));
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: /Eliminar este sistema/ })).getByRole('button', {
      name: 'Eliminar sistema',
    }),
  );
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent).toEqual([
    { method: 'DELETE', path: '/api/keys/3' },
    { method: 'PUT', path: '/api/service-accounts/9', body: { name: 'HIS' } },
    { method: 'DELETE', path: '/api/service-accounts/9' },
  ]);
});

it('shows an empty state, and adds a program', async () => {
  const sent = servePrograms();
  await render({ at: '/service-accounts' }, { user: anAdministrator() });
  expect(await screen.findByText('Aún no hay sistemas conectados')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Agregar sistema' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Guardar' }));
  expect(screen.getByLabelText(/^Nombre/)).toBeInvalid();
  await userEvent.type(screen.getByLabelText(/^Nombre/), 'Tablero');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  await waitFor(() =>
    expect(sent).toEqual([{ method: 'POST', path: '/api/service-accounts', body: { name: 'Tablero' } }]),
  );
});

it('is available only to administrators', async () => {
  servePrograms(his);
  await render({ at: '/service-accounts' }, { user: aSupervisor() });
  expect(screen.queryByRole('link', { name: 'Sistemas conectados' })).toBeNull();
  expect(screen.queryByText('Sistema de admisiones')).toBeNull();
});
