import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { ProductCodeView, ProductView } from '@/api/generated';
import { chooseInMenu } from '@/test/menus';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { aReport } from '@/test/reports';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const cannula: ProductView = {
  id: 8,
  name: 'Cánula nasal',
  price: 12.5,
  category_id: 2,
  category: { id: 2, code: 'SON', name: 'Sondas' },
  code: 'C-7',
  gtin: null,
  unit: 'pieza',
  active: true,
  decimals: 0,
  asks_lot: true,
  asks_serial: false,
  implant: false,
  also_called: [],
  plain_name: null,
  picture: null,
};
const box: ProductCodeView = {
  id: 3,
  product_id: 8,
  system: 'gtin',
  code: '07501234567893',
  units: 100,
  label: 'caja de 100',
};

/** Serve a product's code and two unknown ones; collect the requests. */
function serveCodes() {
  const sent: { method: string; path: string; body?: unknown }[] = [];
  const note = async (request: Request) => {
    const text = await request.clone().text();
    sent.push({
      method: request.method,
      path: new URL(request.url).pathname,
      ...(text && { body: JSON.parse(text) }),
    });
  };
  const unknown = [
    { system: 'gtin', code: '04006381333931', times: 3, last_at: '2026-11-20T10:20:00Z' },
    { system: 'code', code: 'XR-9', times: 1, last_at: '2026-11-19T10:20:00Z' },
  ];
  server.use(
    http.get('/api/products', () => HttpResponse.json(aPage([cannula]))),
    http.get('/api/products/8', () => HttpResponse.json(cannula)),
    http.get('/api/consumption-details', () => HttpResponse.json(aPage([]))),
    http.get('/api/products/8/prices', () => HttpResponse.json({ items: [] })),
    http.get('/api/reports/consumption', () => HttpResponse.json(aReport())),
    http.get('/api/products/8/codes', () => HttpResponse.json({ items: [box] })),
    http.get('/api/unknown-codes', () => HttpResponse.json({ items: unknown })),
    http.post('/api/products/8/codes', async ({ request }) => {
      await note(request);
      unknown.shift();
      return HttpResponse.json(box, { status: 201 });
    }),
    http.delete('/api/unknown-codes/:system', async ({ request, params }) => {
      const code = new URL(request.url).searchParams.get('code');
      sent.push({ method: 'DELETE', path: `/api/unknown-codes/${params.system}?code=${code}` });
      unknown.splice(
        unknown.findIndex((one) => one.code === code),
        1,
      );
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete('/api/product-codes/3', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

const supervisor = { user: aSupervisor() };

it("shows a product's codes and what recording it requires", async () => {
  serveCodes();
  await render({ at: '/products/8' }, supervisor);
  const row = await screen.findByRole('row', { name: /07501234567893/ });
  for (const text of ['GTIN', '100 pieza', 'caja de 100']) expect(row).toHaveTextContent(text);
  expect(screen.getByText('en enteros')).toBeVisible();
});

it('adds a scanned code without submitting, shows a refusal', async () => {
  const sent = serveCodes();
  const message = 'Ya existe un código de producto «+H1».';
  server.use(
    http.post(
      '/api/products/8/codes',
      () =>
        HttpResponse.json(
          { message: [message], errors: [{ field: 'code', code: 'taken', message }] },
          { status: 422 },
        ),
      { once: true },
    ),
  );
  await render({ at: '/products/8' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Agregar código' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Agregar código' }));
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Sistema' }), 'HIBC');
  const code = dialog.getByRole('textbox', { name: 'Código' });
  await userEvent.type(code, '+H1{Enter}');
  const units = dialog.getByRole('textbox', { name: 'Unidades por envase' });
  await userEvent.clear(units);
  await userEvent.type(units, '12');
  await userEvent.type(dialog.getByRole('textbox', { name: 'Envase' }), 'paquete');
  await userEvent.click(dialog.getByRole('button', { name: 'Guardar' }));
  await waitFor(() => expect(code).toHaveAccessibleDescription(message));
  expect(sent).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Código agregado')).toBeVisible();
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/api/products/8/codes',
      body: { system: 'hibc', code: '+H1', units: 12, label: 'paquete' },
    },
  ]);
});

it('removes a code after confirmation', async () => {
  const sent = serveCodes();
  await render({ at: '/products/8' }, supervisor);
  await chooseInMenu('07501234567893', 'Quitar código');
  const dialog = await screen.findByRole('dialog', { name: '¿Quitar el código?' });
  expect(sent).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Quitar código' }));
  expect(await screen.findByText('Código quitado')).toBeVisible();
  expect(sent).toEqual([{ method: 'DELETE', path: '/api/product-codes/3' }]);
});

it('links an unknown code to its product', async () => {
  const sent = serveCodes();
  await render({ at: '/products/unknown-codes' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: '04006381333931' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Vincular código' }));
  // The system of a GTIN is certain, while a person must choose that of another code.
  expect(dialog.getByRole('combobox', { name: 'Sistema' })).toBeDisabled();
  await userEvent.type(dialog.getByRole('combobox', { name: 'Producto' }), 'cán{Enter}');
  await waitFor(() => expect(dialog.getByRole('combobox', { name: 'Producto' })).toHaveValue('Cánula nasal'));
  await userEvent.click(dialog.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Código vinculado')).toBeVisible();
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/api/products/8/codes',
      body: { system: 'gtin', code: '04006381333931', units: 1, label: '' },
    },
  ]);
  await waitFor(() => expect(screen.queryByRole('row', { name: /04006381333931/ })).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'XR-9' }));
  const other = within(await screen.findByRole('dialog', { name: 'Vincular código' }));
  expect(other.getByRole('combobox', { name: 'Sistema' })).toBeEnabled();
});

it('removes a code from the list after confirmation', async () => {
  const sent = serveCodes();
  await render({ at: '/products/unknown-codes' }, supervisor);
  await chooseInMenu('XR-9', 'Quitar de la lista');
  const dialog = await screen.findByRole('dialog', { name: '¿Quitar el código de la lista?' });
  expect(sent).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Quitar de la lista' }));
  expect(await screen.findByText('Código quitado de la lista')).toBeVisible();
  expect(sent).toEqual([{ method: 'DELETE', path: '/api/unknown-codes/code?code=XR-9' }]);
  await waitFor(() => expect(screen.queryByRole('row', { name: /XR-9/ })).toBeNull());
});

it('is not available to ward staff', async () => {
  serveCodes();
  const { router } = await render({ at: '/products/unknown-codes' }, { user: aNurse() });
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
  await router.navigate('/products/8');
  expect(await screen.findByRole('heading', { name: 'Cánula nasal' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Códigos' })).toBeNull();
});
