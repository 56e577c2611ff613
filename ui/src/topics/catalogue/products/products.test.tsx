import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import type { ProductView } from '@/api/generated';
import { chooseInMenu } from '@/test/menus';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { aReport } from '@/test/reports';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const tubes = { id: 2, code: 'SON', name: 'Sondas' };
const cannula: ProductView = {
  id: 8,
  name: 'Cánula nasal',
  price: 1234.5,
  category_id: 2,
  category: tubes,
  code: 'C-7',
  gtin: null,
  unit: 'pieza',
  active: true,
  decimals: 3,
  asks_lot: false,
  asks_serial: false,
  implant: false,
  also_called: [],
  plain_name: null,
  picture: null,
};
const retired: ProductView = { ...cannula, id: 9, name: 'Cánula de vidrio', code: null, active: false };

/** Serve a small catalogue, and collect the requests. */
function serveProducts() {
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
    http.get('/api/products', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(aPage([cannula, retired], { page: 3, total: 90 }));
    }),
    http.get('/api/products/8', () => HttpResponse.json(cannula)),
    http.get('/api/consumption-details', () => HttpResponse.json(aPage([]))),
    http.get('/api/products/8/prices', () => HttpResponse.json({ items: [] })),
    http.get('/api/reports/consumption', () => HttpResponse.json(aReport())),
    http.get('/api/products/8/codes', () => HttpResponse.json({ items: [] })),
    http.get('/api/categories', ({ request }) => {
      const q = new URL(request.url).searchParams.get('q')?.toLowerCase() ?? '';
      return HttpResponse.json(aPage([tubes].filter(({ name }) => name.toLowerCase().includes(q))));
    }),
    http.get('/api/categories/2', () => HttpResponse.json(tubes)),
    http.post('/api/categories', async ({ request }) => {
      await note(request);
      return HttpResponse.json({ id: 4, code: 'SUT', name: 'Suturas' }, { status: 201 });
    }),
    http.post('/api/products', async ({ request }) => {
      await note(request);
      return HttpResponse.json(cannula, { status: 201 });
    }),
    http.put('/api/products/8', async ({ request }) => {
      await note(request);
      return HttpResponse.json(cannula);
    }),
    http.delete('/api/products/8', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return { asked, sent };
}

const inUse = 'No se puede eliminar: se usa 12 veces.';
const refuseDeletion = () =>
  server.use(
    http.delete('/api/products/8', () =>
      HttpResponse.json(
        { message: [inUse], errors: [{ field: null, code: 'in_use', message: inUse }] },
        { status: 422 },
      ),
    ),
  );

const supervisor = { user: aSupervisor() };
const textbox = (name: string) => screen.getByRole('textbox', { name });
const placeOf = ({ state: { location } }: Awaited<ReturnType<typeof render>>['router']) =>
  location.pathname + location.search;

it('lists products with prices, and marks inactive ones', async () => {
  serveProducts();
  await render({ at: '/products' }, supervisor);
  const row = await screen.findByRole('row', { name: /Cánula nasal/ });
  for (const text of ['Cánula nasal C-7 · pieza', 'Sondas', '$1.234,50'])
    expect(within(row).getByRole('cell', { name: text })).toBeVisible();
  expect(row).not.toHaveTextContent('Inactivo');
  expect(screen.getByRole('row', { name: /Cánula de vidrio/ })).toHaveTextContent('Inactivo');
});

it('filters by category and state, and exports the result', async () => {
  const { asked } = serveProducts();
  const { router } = await render({ at: '/products?page=3&q=canula' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Categoría' }));
  await userEvent.click(await screen.findByRole('option', { name: /Sondas/ }));
  expect(await screen.findByRole('button', { name: 'Categoría: Sondas' })).toBeVisible();
  await waitFor(() => expect(placeOf(router)).toBe('/products?q=canula&category=2'));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Estado' }), 'Inactivos');
  await waitFor(() => expect(asked.at(-1)).toBe('?page=1&q=canula&category_id=2&active=false'));
  URL.createObjectURL = () => 'blob:products';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  await userEvent.click(screen.getByRole('button', { name: 'Más acciones' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Exportar a texto (CSV)' }));
  await waitFor(() => expect(asked.at(-1)).toBe('?q=canula&category_id=2&active=false&format=csv'));
});

it('creates a product with a local price and a new category', async () => {
  const { sent } = serveProducts();
  const { router } = await render({ at: '/products/create' }, supervisor);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Nombre' }), 'Seda 3-0');
  await userEvent.type(
    screen.getByLabelText('También se llama', { selector: 'input' }),
    'Hilo, seda{Enter}Silk',
  );
  await userEvent.type(screen.getByRole('combobox', { name: 'Categoría' }), 'Suturas');
  await screen.findByRole('option', { name: 'Crear la categoría «Suturas»' });
  await userEvent.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Crear categoría' });
  expect(within(dialog).getByRole('textbox', { name: 'Nombre de la categoría' })).toHaveValue('Suturas');
  const code = within(dialog).getByRole('textbox', { name: 'Código' });
  await waitFor(() => expect(code).toHaveFocus());
  await userEvent.type(code, 'SUT{Enter}');
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(screen.getByRole('combobox', { name: 'Categoría' })).toHaveValue('Suturas');
  await userEvent.type(textbox('Precio'), '12,05');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('¡Producto creado!')).toBeVisible();
  expect(sent).toEqual([
    { method: 'POST', path: '/api/categories', body: { code: 'SUT', name: 'Suturas' } },
    {
      method: 'POST',
      path: '/api/products',
      body: {
        name: 'Seda 3-0',
        category_id: 4,
        price: 12.05,
        unit: '',
        code: '',
        gtin: '',
        active: 1,
        decimals: 3,
        asks_lot: false,
        asks_serial: false,
        implant: false,
        included_in_stay: false,
        also_called: ['Hilo, seda', 'Silk'],
        plain_name: '',
      },
    },
  ]);
  await waitFor(() => expect(placeOf(router)).toBe('/products'));
});

it('rejects a price with more than two decimals', async () => {
  const { sent } = serveProducts();
  await render({ at: '/products/8/edit' }, supervisor);
  const price = await screen.findByRole('textbox', { name: 'Precio' });
  expect(price).toHaveValue('1234,5');
  await userEvent.clear(price);
  await userEvent.type(price, '0,125');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(price).toHaveAccessibleDescription('Como máximo, 2 decimales.');
  expect(sent).toEqual([]);
});

it('ignores the Enter of a scanner in the form', async () => {
  const { sent } = serveProducts();
  await render({ at: '/products/8/edit' }, supervisor);
  const message = 'Revise «GTIN»: no es un GTIN válido.';
  server.use(
    http.put('/api/products/8', () =>
      HttpResponse.json(
        { message: [message], errors: [{ field: 'gtin', code: 'gtin.invalid', message }] },
        { status: 422 },
      ),
    ),
  );
  await userEvent.type(await screen.findByRole('textbox', { name: 'GTIN' }), '4006381333930{Enter}');
  expect(screen.queryByText(message)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  await waitFor(() => expect(textbox('GTIN')).toHaveAccessibleDescription(new RegExp(message)));
  expect(textbox('GTIN')).toHaveValue('4006381333930');
  expect(sent).toEqual([]);
});

it('returns to the page of the list after editing', async () => {
  const { sent } = serveProducts();
  const { router } = await render({ at: '/products?page=3&q=canula&category=2' }, supervisor);
  await chooseInMenu('Cánula nasal', 'Editar producto');
  await userEvent.click(await screen.findByRole('switch', { name: /^Activo/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('¡Producto actualizado!')).toBeVisible();
  expect(sent[0]?.body).toMatchObject({ name: 'Cánula nasal', price: 1234.5, code: 'C-7', active: 0 });
  await waitFor(() => expect(placeOf(router)).toBe('/products?page=3&q=canula&category=2'));
});

it("returns to the product's page if that opened the form", async () => {
  serveProducts();
  const { router } = await render({ at: '/products/8' }, supervisor);
  await userEvent.click(await screen.findByRole('link', { name: 'Editar' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Guardar' }));
  expect(await screen.findByRole('heading', { name: 'Cánula nasal' })).toBeVisible();
  expect(placeOf(router)).toBe('/products/8');
  await router.navigate('/products/8/edit');
  await userEvent.click(await screen.findByRole('button', { name: 'Guardar' }));
  await waitFor(() => expect(placeOf(router)).toBe('/products'));
});

it('deletes a product after confirmation', async () => {
  const { sent } = serveProducts();
  const { router } = await render({ at: '/products/8' }, supervisor);
  await userEvent.click(await screen.findByRole('link', { name: 'Editar' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Eliminar producto' }));
  const dialog = await screen.findByRole('dialog', { name: 'Eliminar Producto?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Eliminar producto' }));
  expect(await screen.findByText('¡Producto eliminado!')).toBeVisible();
  expect(sent).toEqual([{ method: 'DELETE', path: '/api/products/8' }]);
  // The product's page, from which the form was opened, does not exist any more.
  await waitFor(() => expect(placeOf(router)).toBe('/products'));
});

it('offers to deactivate a product that cannot be deleted', async () => {
  const { sent } = serveProducts();
  refuseDeletion();
  const { router } = await render({ at: '/products/8/edit' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Eliminar producto' }));
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Eliminar producto' }),
  );
  const offer = await screen.findByRole('dialog', { name: '¿Desactivar este producto?' });
  expect(offer).toHaveTextContent(inUse);
  await userEvent.click(within(offer).getByRole('button', { name: 'Desactivar' }));
  expect(await screen.findByText('¡Producto actualizado!')).toBeVisible();
  expect(sent).toEqual([
    {
      method: 'PUT',
      path: '/api/products/8',
      body: {
        name: 'Cánula nasal',
        category_id: 2,
        price: 1234.5,
        unit: 'pieza',
        code: 'C-7',
        gtin: '',
        active: 0,
        decimals: 3,
        asks_lot: false,
        asks_serial: false,
        implant: false,
        included_in_stay: false,
        also_called: [],
        plain_name: '',
      },
    },
  ]);
  await waitFor(() => expect(placeOf(router)).toBe('/products'));
});

it('does not offer to deactivate an inactive product', async () => {
  serveProducts();
  refuseDeletion();
  server.use(http.get('/api/products/8', () => HttpResponse.json({ ...cannula, active: false })));
  const { router } = await render({ at: '/products/8/edit' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Eliminar producto' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Eliminar producto' }));
  expect(await screen.findByText(inUse)).toBeVisible();
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(placeOf(router)).toBe('/products/8/edit');
});

it('shows ward staff no prices, category codes or actions', async () => {
  serveProducts();
  const { price, ...unpriced } = { ...cannula, category: { id: 2, name: 'Sondas' } };
  server.use(
    http.get('/api/products', () => HttpResponse.json(aPage([unpriced]))),
    http.get('/api/products/8', () => HttpResponse.json(unpriced)),
  );
  const { router } = await render({ at: '/products?sort=price' }, { user: aNurse() });
  expect(await screen.findByRole('row', { name: /Cánula nasal/ })).toBeVisible();
  expect(screen.queryByRole('columnheader', { name: 'Precio' })).toBeNull();
  for (const name of ['Crear producto', 'Categorías'])
    expect(screen.queryByRole('link', { name })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Más acciones: Cánula nasal' }));
  expect(await screen.findByRole('menuitem', { name: 'Imprimir etiquetas' })).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: 'Editar producto' })).toBeNull();
  await router.navigate('/products/8/edit');
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
  await userEvent.click(screen.getByRole('link', { name: 'Volver' }));
  expect(await screen.findByRole('link', { name: 'Sondas' })).toHaveAttribute('href', '/products?category=2');
  expect(placeOf(router)).toBe('/products/8');
  expect(screen.queryByText('Precio')).toBeNull();
});

it('suggests the nearest products if a search finds none', async () => {
  serveProducts();
  server.use(
    http.get('/api/products', () => HttpResponse.json({ ...aPage<ProductView>([]), nearest: [cannula] })),
  );
  await render({ at: '/products?q=canulla' }, { user: aSupervisor() });
  const offered = await screen.findByRole('region', { name: '¿Quiso decir…?' });
  expect(within(offered).getByRole('link', { name: 'Cánula nasal' })).toHaveAttribute('href', '/products/8');
});

it('sums 90 days by week and area, without prices for wards', async () => {
  serveProducts();
  const asked: URLSearchParams[] = [];
  const today = '2026-11-21';
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${today}T12:00:00Z`) });
  const sums = { details: 40, quantity: 100.5, patient_days: 1 };
  server.use(
    http.get('/api/reports/consumption', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams);
      const row = { id: null, name: today, details: 40, quantity: 100.5 };
      return HttpResponse.json(
        searchParams.get('by') === 'day'
          ? aReport({ sums, items: [{ ...row, key: today }] })
          : aReport({ sums, items: [{ ...row, key: '2', id: 2, name: 'Cirugía', quantity: 60 }] }),
      );
    }),
  );
  await render({ at: '/products/8' }, { user: aNurse() });
  const used = within(await screen.findByRole('region', { name: 'Uso en los últimos 90 días' }));
  expect(used.getByText('100,5 pieza')).toBeVisible();
  expect(used.getByText('en 40 líneas')).toBeVisible();
  expect(used.getByRole('img', { name: /^Por semana; máximo desde el .*: 100,5$/ })).toBeVisible();
  expect(used.getByRole('listitem')).toHaveTextContent('Cirugía60');
  const [from = '', to = ''] = ['from', 'to'].map((name) => asked[0]?.get(name) ?? '');
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(89);
  expect(asked.every((one) => one.get('product_id') === '8')).toBe(true);
  expect(used.getByRole('link', { name: 'Ver todo (40)' })).toHaveAttribute(
    'href',
    `/consumption-sheet-details?product=8&from=${from}&to=${to}`,
  );
  expect(screen.queryByRole('region', { name: 'Historial de precios' })).toBeNull();
});

it('lists price changes with user and time', async () => {
  serveProducts();
  const at = '2026-11-02T15:30:00Z';
  const items = [
    { at, by: 'Jorge Peña', imported: true, previous_price: 0.32, price: 0.35 },
    { at: '2026-01-02T15:30:00Z', by: null, imported: false, previous_price: null, price: 0.32 },
  ];
  server.use(http.get('/api/products/8/prices', () => HttpResponse.json({ items })));
  await render({ at: '/products/8' }, supervisor);
  const prices = within(await screen.findByRole('region', { name: 'Historial de precios' }));
  const [last, first] = prices.getAllByRole('listitem');
  expect(last).toHaveTextContent('$0,32 → a $0,352 nov 2026, 15:30 · Jorge Peña · por importación');
  expect(first).toHaveTextContent('$0,322 ene 2026, 15:30 · Alguien');
});

it('lists typed names, to be added or dismissed', async () => {
  const { sent } = serveProducts();
  let typed = [
    { id: 5, text: 'suero', times: 14, last_at: '2026-11-20T10:20:00Z' },
    { id: 6, text: 'cloruro', times: 3, last_at: '2026-11-19T10:20:00Z' },
  ];
  server.use(
    http.get('/api/products/8/typed-names', () => HttpResponse.json({ items: typed })),
    http.post('/api/typed-names/:id/:answer', ({ request, params: { id, answer } }) => {
      typed = typed.filter((one) => one.id !== Number(id));
      sent.push({ method: request.method, path: `${id} ${answer}` });
      return answer === 'add' ? HttpResponse.json(cannula) : new HttpResponse(null, { status: 204 });
    }),
  );
  await render({ at: '/products/8' }, supervisor);
  const card = await screen.findByRole('region', { name: 'Cómo lo buscan' });
  expect(within(card).getByText('«suero» · 14 veces')).toBeVisible();
  await userEvent.click(within(card).getByRole('button', { name: 'Agregar «suero»' }));
  expect(await screen.findByText('Nombre agregado')).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/«suero»/)).toBeNull());
  await userEvent.click(within(card).getByRole('button', { name: 'Descartar «cloruro»' }));
  await waitFor(() => expect(card).not.toBeInTheDocument());
  expect(sent.map(({ path }) => path)).toEqual(['5 add', '6 dismiss']);
});

it('refetches typed names that another user answered', async () => {
  serveProducts();
  let items = [{ id: 5, text: 'suero', times: 3, last_at: '2026-11-20T10:20:00Z' }];
  server.use(
    http.get('/api/products/8/typed-names', () => HttpResponse.json({ items })),
    http.post('/api/typed-names/5/add', () => {
      items = [];
      return HttpResponse.json({ message: 'No existe.' }, { status: 404 });
    }),
  );
  await render({ at: '/products/8' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Agregar «suero»' }));
  await waitFor(() => expect(screen.queryByText(/«suero»/)).toBeNull());
  expect(screen.getByRole('heading', { name: 'Cánula nasal' })).toBeVisible();
});

it('does not request typed names for read-only users', async () => {
  serveProducts();
  let asked = 0;
  server.use(
    http.get('/api/products/8/typed-names', () => {
      asked += 1;
      return HttpResponse.json({ items: [] });
    }),
  );
  await render({ at: '/products/8' }, { user: aNurse() });
  expect(await screen.findByText('pieza')).toBeVisible();
  expect(asked).toBe(0);
});
