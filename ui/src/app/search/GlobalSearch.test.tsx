import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

const at = '/users/account';
const globalSearch = async () => within(await screen.findByRole('dialog', { name: /^Ir a un paciente/ }));
const options = (dialog: Awaited<ReturnType<typeof globalSearch>>) =>
  dialog.getAllByRole('option').map(({ textContent }) => textContent);

beforeEach(() => {
  server.use(
    http.get('/api/users/:id/sessions', () => HttpResponse.json({ items: [] })),
    http.get('/api/users/:id/passkeys', () => HttpResponse.json({ items: [] })),
    http.get('/api/users/:id', () => HttpResponse.json({ message: 'No.' }, { status: 404 })),
    http.get('/api/consumption-sheets', ({ request }) => {
      const q = new URL(request.url).searchParams.get('q') ?? '';
      const other = aSheet({ id: 9, room: { id: 6, name: '305', area_id: 2 } });
      if (q === 'marai') return HttpResponse.json({ ...aPage([]), nearest: [aSheet()] });
      const found = [aSheet(), other].filter(({ room }) => `${room.name} maría quispe`.includes(q));
      return HttpResponse.json({ ...aPage(found), ...(found.length === 1 && { exact: found[0]?.id }) });
    }),
    http.get('/api/products', () =>
      HttpResponse.json(aPage([{ id: 3, name: 'Gasa', code: 'MC-1', active: true, category_id: 1 }])),
    ),
    http.get('/api/consumption-sheets/:id/version', ({ params }) =>
      params.id === '71'
        ? HttpResponse.json({ version: 3 })
        : HttpResponse.json({ message: 'No.' }, { status: 404 }),
    ),
    http.get('/api/areas', () => HttpResponse.json(aPage([{ id: 2, name: 'UCI' }]))),
    http.get('/api/consumption-sheets/:id', () => HttpResponse.json({ message: 'No.' }, { status: 404 })),
    http.get('/api/consumption-sheets/:id/usual-products', () => HttpResponse.json({ items: [] })),
    http.get('/api/consumption-sheets/:id/:more', () => HttpResponse.json(aPage([]))),
  );
});

it.each([
  ['201', 'María Quispe Mamani201-A · 20 nov 2026', '/consumption-sheet-details/1/consumption-details'],
  ['305', 'María Quispe Mamani305 · 20 nov 2026', '/consumption-sheet-details/9/consumption-details'],
  ['71', 'Hoja 71', '/consumption-sheet-details/71/consumption-details'],
  ['del area uci', 'Gasto del área UCI', '/consumption-sheets/areas/2'],
  ['informe', 'Informe de consumo', '/reports/consumption'],
])('opens the first result for %s', async (text, option, address) => {
  const { router } = await render({ at }, { user: aNurse() });
  await screen.findByRole('heading', { level: 1 });
  await userEvent.keyboard('{Control>}k{/Control}');
  const dialog = await globalSearch();
  await userEvent.type(dialog.getByRole('combobox', { name: 'Buscar en todo' }), text);
  await waitFor(() => expect(options(dialog)[0]).toBe(option));
  expect(options(dialog)).not.toContain('GasaMC-1');
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe(address));
});

it.each([
  ['quispe', /^Hay varias coincidencias/],
  ['marai', /^Se parece, pero no es exacta/],
])('opens nothing for %s until a result is selected', async (text, hint) => {
  const { router } = await render({ at }, { user: aNurse() });
  await screen.findByRole('heading', { level: 1 });
  await userEvent.keyboard('{Control>}k{/Control}');
  const dialog = await globalSearch();
  await userEvent.type(dialog.getByRole('combobox', { name: 'Buscar en todo' }), text);
  expect((await dialog.findAllByText(hint))[0]).toBeVisible();
  await userEvent.keyboard('{Enter}');
  expect(router.state.location.pathname).toBe(at);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await waitFor(() =>
    expect(router.state.location.pathname).toBe('/consumption-sheet-details/1/consumption-details'),
  );
});

it('hides missing sheets, and products without permission', async () => {
  await render({ at }, { user: aNurse() });
  await screen.findByRole('heading', { level: 1 });
  await userEvent.keyboard('{Control>}k{/Control}');
  const dialog = await globalSearch();
  const field = dialog.getByRole('combobox', { name: 'Buscar en todo' });
  expect(field).toHaveAttribute('placeholder', 'Paciente, habitación o página');
  expect(options(dialog)).toContain('Perfil');
  await userEvent.type(field, '999');
  await waitFor(() => expect(dialog.queryAllByRole('option')).toEqual([]));
});

it('lists pages and commands at first, and finds products', async () => {
  await render({ at }, { user: aSupervisor() });
  await screen.findByRole('heading', { level: 1 });
  await userEvent.keyboard('{Control>}k{/Control}');
  const dialog = await globalSearch();
  expect(options(dialog)).toContain('Pacientes');
  await userEvent.type(dialog.getByRole('combobox'), 'gasa');
  await waitFor(() => expect(options(dialog)).toEqual(['GasaMC-1']));
  await userEvent.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('opens and closes by touch', async () => {
  await render({ at }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Buscar en todo' }));
  const dialog = await globalSearch();
  await waitFor(() => expect(dialog.getByRole('combobox', { name: 'Buscar en todo' })).toHaveFocus());
  await userEvent.click(dialog.getByRole('button', { name: 'Cerrar' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('closes by Escape from its field, and returns the focus', async () => {
  await render({ at }, { user: aNurse() });
  const button = await screen.findByRole('button', { name: 'Buscar en todo' });
  await userEvent.click(button);
  const dialog = await globalSearch();
  await waitFor(() => expect(dialog.getByRole('combobox', { name: 'Buscar en todo' })).toHaveFocus());
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(button).toHaveFocus());
});
