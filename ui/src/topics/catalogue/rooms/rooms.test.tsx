import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { RoomView } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

const surgery = { id: 2, name: 'Cirugía' };
const paediatrics = { id: 3, name: 'Pediatría' };
const room: RoomView = {
  id: 5,
  name: '201-A',
  code: null,
  status: 3,
  type: 1,
  area_id: 2,
  area: surgery,
  sheets: [{ id: 9, patient: aSheet().patient, admission_date: '2026-11-20' }],
};
const supervisor = { user: aSupervisor() };

/** Return the query of a request, sorted by name. */
function searchOf({ url }: Request) {
  const { searchParams } = new URL(url);
  searchParams.sort();
  return String(searchParams);
}

/** Serve one room of one area, and collect the requests. */
function serveRooms() {
  const asked: string[] = [];
  const sent: { method: string; path: string; body?: unknown }[] = [];
  const note = async (request: Request) => {
    const text = await request.clone().text();
    sent.push({
      method: request.method,
      path: new URL(request.url).pathname,
      ...(text && { body: JSON.parse(text) }),
    });
  };
  server.use(
    http.get('/api/areas', () => HttpResponse.json(aPage([surgery, paediatrics]))),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
    http.get('/api/areas/2', () => HttpResponse.json(surgery)),
    http.get('/api/areas/3', () => HttpResponse.json(paediatrics)),
    http.get('/api/rooms', ({ request }) => {
      asked.push(searchOf(request));
      return HttpResponse.json(aPage([room]));
    }),
    http.get('/api/rooms/5', () => HttpResponse.json(room)),
    http.post('/api/rooms', async ({ request }) => {
      await note(request);
      return HttpResponse.json(room, { status: 201 });
    }),
    http.put('/api/rooms/5', async ({ request }) => {
      await note(request);
      return HttpResponse.json(room);
    }),
    http.delete('/api/rooms/5', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return { asked, sent };
}

it('shows status, type and patients of each room', async () => {
  serveRooms();
  await render({ at: '/rooms' }, supervisor);
  const row = await screen.findByRole('row', { name: /201-A/ });
  expect(within(row).getByRole('cell', { name: 'En limpieza' })).toHaveAttribute('data-label', 'Estado');
  expect(within(row).getByRole('cell', { name: 'Individual' })).toHaveAttribute('data-label', 'Tipo');
  expect(within(row).getByRole('cell', { name: 'María Quispe Mamani' })).toBeVisible();
});

it('names three patients of a room and counts the others', async () => {
  serveRooms();
  const { patient } = aSheet();
  const names = ['Ana', 'Berta', 'Carla', 'Delia', 'Elsa'];
  const sheets = names.map((name, at) => ({
    id: at + 1,
    patient: { ...patient, name },
    admission_date: '2026-11-20',
  }));
  server.use(http.get('/api/rooms', () => HttpResponse.json(aPage([{ ...room, sheets }]))));
  await render({ at: '/rooms' }, supervisor);
  const row = await screen.findByRole('row', { name: /201-A/ });
  expect(row).toHaveTextContent(/Ana .*Berta .*Carla .*2 más/);
  expect(row).not.toHaveTextContent('Delia');
});

it('filters by area and status, in the URL, until removed', async () => {
  const { asked } = serveRooms();
  const { router } = await render({ at: '/rooms?area=2&sort=area' }, supervisor);
  expect(await screen.findByRole('button', { name: 'Área: Cirugía' })).toBeVisible();
  expect(asked.at(-1)).toBe('area_id=2&page=1&sort=area');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Estado' }), 'En limpieza');
  await waitFor(() => expect(asked.at(-1)).toBe('area_id=2&page=1&sort=area&status=3'));
  expect(router.state.location.search).toBe('?area=2&sort=area&status=3');
  await userEvent.click(screen.getByRole('button', { name: 'Quitar el filtro: Área' }));
  await waitFor(() => expect(router.state.location.search).toBe('?sort=area&status=3'));
  await userEvent.click(screen.getByRole('button', { name: 'Área' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Pediatría' }));
  await waitFor(() => expect(asked.at(-1)).toBe('area_id=3&page=1&sort=area&status=3'));
});

it('ignores invalid filters in the URL', async () => {
  const { asked } = serveRooms();
  await render({ at: '/rooms?area=x&status=7' }, supervisor);
  await screen.findByRole('row', { name: /201-A/ });
  expect(asked).toEqual(['page=1']);
});

it('creates a room in the filtered area, with status as type', async () => {
  const { sent } = serveRooms();
  const { router } = await render({ at: '/rooms?area=2' }, supervisor);
  await userEvent.click(await screen.findByRole('link', { name: 'Crear habitación' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Nombre de la habitación' }), '202-B');
  expect(screen.getByRole('combobox', { name: 'Área' })).toHaveValue('Cirugía');
  expect(screen.queryByRole('combobox', { name: 'Tipo' })).toBeNull();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Estado' }), 'Ocupada');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Habitación creada')).toBeVisible();
  expect(sent).toEqual([
    { method: 'POST', path: '/api/rooms', body: { name: '202-B', code: '', area_id: 2, status: 2, type: 2 } },
  ]);
  expect(router.state.location.pathname + router.state.location.search).toBe('/rooms?area=2');
});

it('shows missing fields before anything is sent', async () => {
  const { sent } = serveRooms();
  await render({ at: '/rooms/create' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Guardar' }));
  const name = screen.getByRole('textbox', { name: 'Nombre de la habitación' });
  expect(name).toHaveAccessibleDescription('Este dato es obligatorio.');
  expect(screen.getByRole('combobox', { name: 'Área' })).toHaveAccessibleDescription(
    'Este dato es obligatorio.',
  );
  await waitFor(() => expect(name).toHaveFocus());
  expect(sent).toEqual([]);
});

it('changes the status without changing the type', async () => {
  const { sent } = serveRooms();
  const { router } = await render({ at: '/rooms/5/edit' }, supervisor);
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Estado' }), 'Fuera de servicio');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('¡Habitación actualizada!')).toBeVisible();
  expect(sent[0]?.body).toEqual({ name: '201-A', code: '', area_id: 2, status: 4, type: 1 });
  await waitFor(() => expect(router.state.location.pathname).toBe('/rooms/5'));
});

it('deletes a room after confirmation', async () => {
  const { sent } = serveRooms();
  const { router } = await render({ at: '/rooms/5/edit' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Eliminar habitación' }));
  const dialog = await screen.findByRole('dialog', { name: '¿Eliminar la habitación?' });
  expect(dialog).toHaveTextContent('201-A (Cirugía)');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Eliminar habitación' }));
  expect(await screen.findByText('¡Habitación eliminada!')).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe('/rooms'));
  expect(sent).toEqual([{ method: 'DELETE', path: '/api/rooms/5' }]);
});

it('shows the patients of a room, and editing only if permitted', async () => {
  serveRooms();
  await render({ at: '/rooms/5' }, { user: aNurse() });
  expect(await screen.findByRole('link', { name: /María Quispe Mamani/ })).toHaveAttribute(
    'href',
    '/consumption-sheets/9',
  );
  expect(screen.getByRole('link', { name: 'Cirugía' })).toHaveAttribute('href', '/areas/2');
  expect(screen.queryByRole('link', { name: 'Editar' })).toBeNull();
});
