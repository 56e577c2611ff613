import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { KitView } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const gauze = { id: 8, code: 'GA-1', name: 'Gasa', unit: 'sobre', active: true };
const cannula = { id: 9, code: null, name: 'Cánula', unit: null, active: true };
const kit: KitView = {
  id: 4,
  name: 'Vía periférica',
  area_id: 2,
  area: { id: 2, name: 'Emergencias' },
  own: false,
  user_id: null,
  lines: [
    { product_id: 8, product: gauze, quantity: 2, optional: false },
    { product_id: 9, product: cannula, quantity: 1, optional: true },
  ],
  version: 3,
};
const mine: KitView = { ...kit, id: 5, name: 'Mi sutura', own: true, user_id: 3, area_id: null, area: null };

/** Serve a hospital's kit and a personal one, and collect the requests. */
function serveKits() {
  const asked: string[] = [];
  const sent: { method: string; path: string; version: string | null; body?: unknown }[] = [];
  const note = async (request: Request) => {
    const text = await request.clone().text();
    sent.push({
      method: request.method,
      path: new URL(request.url).pathname,
      version: request.headers.get('If-Match'),
      ...(text && { body: JSON.parse(text) }),
    });
  };
  server.use(
    http.get('/api/kits', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(aPage([request.url.includes('own=true') ? mine : kit]));
    }),
    http.get('/api/kits/4', () => HttpResponse.json(kit)),
    http.get('/api/kits/5', () => HttpResponse.json(mine)),
    http.get('/api/areas', () => HttpResponse.json(aPage([kit.area]))),
    http.get('/api/products', ({ request }) => {
      const name = new URL(request.url).searchParams.get('name')?.toLowerCase() ?? '';
      return HttpResponse.json(
        aPage([gauze, cannula].filter((one) => one.name.toLowerCase().includes(name))),
      );
    }),
    http.post('/api/kits', async ({ request }) => {
      await note(request);
      return HttpResponse.json(kit, { status: 201 });
    }),
    http.put('/api/kits/:id', async ({ request }) => {
      await note(request);
      return HttpResponse.json(kit);
    }),
    http.delete('/api/kits/:id', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return { asked, sent };
}

const supervisor = { user: aSupervisor() };
const nurse = { user: aNurse() };

it("lists the hospital's kits for managers, and personal kits", async () => {
  const { asked } = serveKits();
  const { router } = await render({ at: '/products/kits' }, supervisor);
  const row = await screen.findByRole('row', { name: /Vía periférica/ });
  expect(row).toHaveTextContent('Emergencias');
  expect(screen.getByRole('link', { name: 'Kits' })).toHaveAttribute('aria-current', 'page');
  await router.navigate('/users/account/kits');
  expect(await screen.findByRole('link', { name: 'Mi sutura' })).toHaveAttribute(
    'href',
    '/users/account/kits/5',
  );
  expect(asked).toEqual(['?page=1&own=false', '?page=1&own=true']);
});

it('builds a kit by keyboard, in the order of its lines', async () => {
  const { sent } = serveKits();
  const { router } = await render({ at: '/products/kits/create' }, supervisor);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Nombre del kit' }), 'Vía');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  const search = screen.getByRole('combobox', { name: 'Agregar un producto' });
  await waitFor(() => expect(search).toHaveAccessibleDescription('Agregue al menos un producto.'));
  await waitFor(() => expect(search).toHaveFocus());
  await userEvent.type(search, 'gasa{Enter}');
  const quantity = await screen.findByRole('textbox', { name: 'Cantidad de Gasa · GA-1' });
  expect(search).toHaveValue('');
  await userEvent.type(search, 'cánula{Enter}');
  await screen.findByRole('textbox', { name: 'Cantidad de Cánula' });
  // A product in the kit is reported instead of being added twice.
  await userEvent.type(search, 'gasa{Enter}');
  await waitFor(() => expect(search).toHaveAccessibleDescription('Gasa · GA-1 ya está en el kit.'));
  await userEvent.clear(quantity);
  await userEvent.type(quantity, '2,5{Enter}');
  expect(search).toHaveFocus();
  await userEvent.click(screen.getByRole('button', { name: 'Subir Cánula' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Opcional: Cánula' }));
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Kit creado')).toBeVisible();
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/api/kits',
      version: null,
      body: {
        name: 'Vía',
        own: false,
        lines: [
          { product_id: 9, quantity: 1, optional: true },
          { product_id: 8, quantity: 2.5, optional: false },
        ],
      },
    },
  ]);
  await waitFor(() => expect(router.state.location.pathname).toBe('/products/kits'));
});

it('shows a refusal at its line', async () => {
  serveKits();
  const message = 'Elija otro producto: este está inactivo.';
  server.use(
    http.put('/api/kits/4', () =>
      HttpResponse.json(
        {
          message: [message, 'Redondee.'],
          errors: [
            { field: 'lines.1.product_id', code: 'product.inactive', message },
            { field: 'lines.0.quantity', code: 'quantity.too_fine', message: 'Redondee.' },
          ],
        },
        { status: 422 },
      ),
    ),
  );
  await render({ at: '/products/kits/4/edit' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Guardar' }));
  const [first, second] = await screen.findAllByRole('listitem');
  await waitFor(() => expect(second).toHaveTextContent(message));
  expect(within(first as HTMLElement).getByRole('textbox')).toHaveAccessibleDescription('Redondee.');
});

it('saves the version that was seen, and reports a conflict', async () => {
  const { sent } = serveKits();
  server.use(
    http.put(
      '/api/kits/4',
      () => {
        server.use(http.get('/api/kits/4', () => HttpResponse.json({ ...kit, version: 7 })));
        return HttpResponse.json({ message: ['Otra persona'], errors: [] }, { status: 412 });
      },
      { once: true },
    ),
  );
  const { router } = await render({ at: '/products/kits/4/edit' }, supervisor);
  const name = await screen.findByRole('textbox', { name: 'Nombre del kit' });
  await userEvent.type(name, ' larga');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Otra persona cambió este kit mientras tanto.')).toBeVisible();
  expect(name).toHaveValue('Vía periférica larga');
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Kit actualizado')).toBeVisible();
  expect(sent[0]).toMatchObject({ method: 'PUT', version: '"7"', body: { name: 'Vía periférica larga' } });
  await waitFor(() => expect(router.state.location.pathname).toBe('/products/kits/4'));
});

it('lets ward staff manage only their own kits', async () => {
  const { sent } = serveKits();
  const { router } = await render({ at: '/users/account/kits/5/edit' }, nurse);
  await userEvent.click(await screen.findByRole('button', { name: 'Eliminar kit' }));
  const dialog = await screen.findByRole('dialog', { name: '¿Eliminar el kit?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Eliminar kit' }));
  expect(await screen.findByText('Kit eliminado')).toBeVisible();
  expect(sent).toEqual([{ method: 'DELETE', path: '/api/kits/5', version: '"3"' }]);
  await waitFor(() => expect(router.state.location.pathname).toBe('/users/account/kits'));
  await router.navigate('/products/kits');
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
});

it('shows the lines of a kit without prices', async () => {
  serveKits();
  await render({ at: '/products/kits/4' }, supervisor);
  const lines = await screen.findByRole('region', { name: 'Líneas' });
  expect(within(lines).getByRole('link', { name: 'Gasa 2 sobre' })).toHaveAttribute('href', '/products/8');
  expect(within(lines).getByRole('link', { name: 'Cánula 1 · opcional' })).toBeVisible();
  expect(document.body).not.toHaveTextContent('$');
});
