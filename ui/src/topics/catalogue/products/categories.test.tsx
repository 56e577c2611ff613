import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { chooseInMenu } from '@/test/menus';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const tubes = { id: 2, code: 'SON', name: 'Sondas' };
const taken = 'Cambie «Código»: «GAS» ya existe.';
const inUse = 'No se puede eliminar: se usa 12 veces.';

/** Serve one category, and collect the requests. */
function serveCategories() {
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
    http.get('/api/categories', () => HttpResponse.json(aPage([tubes]))),
    http.post('/api/categories', async ({ request }) => {
      await note(request);
      return HttpResponse.json(tubes, { status: 201 });
    }),
    http.put('/api/categories/2', async ({ request }) => {
      await note(request);
      return HttpResponse.json(tubes);
    }),
    http.delete('/api/categories/2', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

const supervisor = { user: aSupervisor() };

it('creates a category in a dialog, with refusals at its fields', async () => {
  const sent = serveCategories();
  await render({ at: '/products/categories' }, supervisor);
  await screen.findByRole('row', { name: /Sondas/ });
  await userEvent.click(screen.getByRole('button', { name: 'Crear categoría' }));
  const dialog = await screen.findByRole('dialog', { name: 'Crear categoría' });
  const code = within(dialog).getByRole('textbox', { name: 'Código' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Guardar' }));
  expect(code).toHaveAccessibleDescription('Este dato es obligatorio.');
  await userEvent.type(code, 'GAS');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Nombre de la categoría' }), 'Gasas');
  server.use(
    http.post(
      '/api/categories',
      () =>
        HttpResponse.json(
          { message: [taken], errors: [{ field: 'code', code: 'taken', message: taken }] },
          { status: 422 },
        ),
      { once: true },
    ),
  );
  await userEvent.click(within(dialog).getByRole('button', { name: 'Guardar' }));
  await waitFor(() => expect(code).toHaveAccessibleDescription(taken));
  await userEvent.type(code, '2{Enter}');
  expect(await screen.findByText('¡Categoría creada!')).toBeVisible();
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(sent).toEqual([{ method: 'POST', path: '/api/categories', body: { code: 'GAS2', name: 'Gasas' } }]);
});

it('renames a category by keyboard; Escape changes nothing', async () => {
  const sent = serveCategories();
  await render({ at: '/products/categories' }, supervisor);
  const menu = await screen.findByRole('button', { name: 'Más acciones: Sondas' });
  menu.focus();
  await userEvent.keyboard('{Enter}');
  await screen.findByRole('menuitem', { name: 'Editar categoría' });
  await userEvent.keyboard('{Enter}');
  const first = await screen.findByRole('dialog', { name: 'Editar categoría' });
  await userEvent.keyboard('X{Escape}');
  await waitFor(() => expect(first).not.toBeInTheDocument());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Más acciones: Sondas' })).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await screen.findByRole('menuitem', { name: 'Editar categoría' });
  await userEvent.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Editar categoría' });
  await waitFor(() => expect(within(dialog).getByRole('textbox', { name: 'Código' })).toHaveFocus());
  expect(within(dialog).getByRole('textbox', { name: 'Código' })).toHaveValue('SON');
  await userEvent.tab();
  await userEvent.keyboard(' y drenajes{Enter}');
  expect(await screen.findByText('¡Categoría actualizada!')).toBeVisible();
  expect(sent).toEqual([
    { method: 'PUT', path: '/api/categories/2', body: { code: 'SON', name: 'Sondas y drenajes' } },
  ]);
});

it('deletes a category after confirmation, unless it is used', async () => {
  const sent = serveCategories();
  await render({ at: '/products/categories' }, supervisor);
  await chooseInMenu('Sondas', 'Eliminar categoría');
  const dialog = await screen.findByRole('dialog', { name: '¿Eliminar la categoría?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(sent).toEqual([]);
  server.use(
    http.delete(
      '/api/categories/2',
      () =>
        HttpResponse.json(
          { message: [inUse], errors: [{ field: null, code: 'in_use', message: inUse }] },
          { status: 422 },
        ),
      { once: true },
    ),
  );
  for (const answer of [inUse, '¡Categoría eliminada!']) {
    await chooseInMenu('Sondas', 'Eliminar categoría');
    const asked = await screen.findByRole('dialog');
    await userEvent.click(within(asked).getByRole('button', { name: 'Eliminar categoría' }));
    expect(await screen.findByText(answer)).toBeVisible();
    await waitFor(() => expect(asked).not.toBeInTheDocument());
  }
  expect(sent).toEqual([{ method: 'DELETE', path: '/api/categories/2' }]);
});

it('shows ward staff only the names', async () => {
  serveCategories();
  server.use(http.get('/api/categories', () => HttpResponse.json(aPage([{ id: 2, name: 'Sondas' }]))));
  await render({ at: '/products/categories?sort=category_code' }, { user: aNurse() });
  expect(await screen.findByRole('link', { name: 'Sondas' })).toHaveAttribute('href', '/products?category=2');
  expect(screen.queryByRole('columnheader', { name: /Código/ })).toBeNull();
  for (const name of ['Crear categoría', 'Más acciones: Sondas'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});
