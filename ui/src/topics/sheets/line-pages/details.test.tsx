import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { DetailView, ProductView } from '@/api/generated';
import { scan } from '@/test/keys';
import { aNurse, aSupervisor } from '@/test/people';
import { answer } from '@/test/recorder';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';
import { refusal } from '@/test/ward';

const category = { id: 1, name: 'Guantes' };
const aProduct = (id: number, name: string, price?: number): ProductView => ({
  id,
  name,
  price,
  category,
  category_id: 1,
  code: null,
  gtin: null,
  unit: null,
  active: true,
  decimals: 3,
  asks_lot: false,
  asks_serial: false,
  implant: false,
  also_called: [],
  plain_name: null,
  picture: null,
});
const gauze = aProduct(1, 'Gasa estéril', 0.35);
const glove = { ...aProduct(2, 'Guante de nitrilo', 0.18), code: '9520000001858' };
const lucia = { id: 7, name: 'Lucía', first_surname: 'Paredes', second_surname: null };

const detail: DetailView = {
  id: 41,
  version: 3,
  consumption_sheet_id: 1,
  product_id: 1,
  product: gauze,
  quantity: 2,
  unit_price: 0.35,
  total: 0.7,
  staff_id: 7,
  staff: lucia,
  area_id: null,
  area: null,
  user_id: 3,
  created_at: '2026-11-20T12:30:00Z',
};

interface Asked {
  quantity: number;
  acknowledged: string[];
}

/** Answer a quantity far above the usual with a question. */
const questionAbout = ({ quantity, acknowledged }: Asked) =>
  quantity > 1000 && acknowledged.length === 0
    ? refusal('quantity', `${quantity} es mucho. ¿Es correcto?`, true, 'quantity.far_out')
    : undefined;

/** Serve one detail and the choices of its forms, and collect the requests. */
function serve(change: Partial<DetailView> = {}, sheet = aSheet()) {
  const seen = { asked: [] as string[], sent: [] as unknown[] };
  server.use(
    http.get('/api/consumption-details', ({ request }) => {
      seen.asked.push(
        [...new URL(request.url).searchParams]
          .map((pair) => pair.join('='))
          .sort()
          .join(' '),
      );
      return HttpResponse.json(aPage([{ ...detail, ...change }]));
    }),
    http.get('/api/consumption-details/41', () => HttpResponse.json({ ...detail, ...change })),
    http.get('/api/consumption-sheets/1', () => HttpResponse.json(sheet)),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([sheet]))),
    http.get('/api/products', () => HttpResponse.json(aPage([glove]))),
    http.get('/api/products/2', () => HttpResponse.json(glove)),
    http.get('/api/products/lookup', () =>
      HttpResponse.json(answer({ matches: [{ product: glove, system: 'gtin', units: 1, label: null }] })),
    ),
    http.get('/api/staff', () => HttpResponse.json(aPage([{ ...lucia, id: 9, name: 'Verónica' }]))),
    http.get('/api/staff/7', () => HttpResponse.json(lucia)),
    http.get('/api/areas', ({ request }) => {
      const q = new URL(request.url).searchParams.get('q') ?? '';
      const areas = [
        { id: 4, name: 'Quirófano' },
        { id: 5, name: 'Urgencias' },
      ];
      return HttpResponse.json(aPage(areas.filter(({ name }) => name.toLowerCase().startsWith(q))));
    }),
    http.get('/api/areas/:id', ({ params }) =>
      HttpResponse.json({ id: Number(params.id), name: params.id === '4' ? 'Quirófano' : 'Urgencias' }),
    ),
    http.get('/api/consumption-sheets/1/consumption-details', () => HttpResponse.json(aPage([]))),
    http.get('/api/consumption-sheets/1/usual-products', () => HttpResponse.json({ items: [] })),
    http.put('/api/consumption-details/41', async ({ request }) => {
      const body = (await request.json()) as Asked;
      seen.sent.push([request.headers.get('If-Match'), body]);
      return questionAbout(body) ?? HttpResponse.json({ ...detail, version: 4 });
    }),
    http.post('/api/consumption-details', async ({ request }) => {
      const body = (await request.json()) as Asked;
      seen.sent.push([request.headers.get('Idempotency-Key'), body]);
      return questionAbout(body) ?? HttpResponse.json(detail, { status: 201 });
    }),
    http.post('/api/consumption-details/41/void', async ({ request }) => {
      seen.sent.push(['voided', request.headers.get('If-Match'), await request.json()]);
      return HttpResponse.json({ ...detail, version: 4 });
    }),
    http.delete('/api/consumption-details/41', ({ request }) => {
      seen.sent.push(['deleted', request.headers.get('If-Match')]);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return seen;
}

async function askToDelete() {
  await userEvent.click(await screen.findByRole('button', { name: 'Borrar' }));
  return within(await screen.findByRole('dialog', { name: 'Desea Borrar el detalle de consumo?' }));
}

const field = (name: string) => screen.findByRole('combobox', { name });

describe('the list of details of all sheets', () => {
  it('is filtered by the URL', async () => {
    const { asked } = serve();
    const at = '/consumption-sheet-details?sheet=1&product=2&staff=7&area=4&from=2026-11-01&to=2026-11-20';
    await render({ at }, { user: aSupervisor() });
    expect(await screen.findByRole('row', { name: /Gasa estéril 2 \$0,70 Lucía Paredes/ })).toBeVisible();
    for (const name of [
      'Hoja: María Quispe Mamani',
      'Producto: Guante de nitrilo',
      'Personal: Lucía Paredes',
      'Área: Quirófano',
      'Fechas: 1 nov 2026 – 20 nov 2026',
    ])
      expect(await screen.findByRole('button', { name })).toBeVisible();
    expect(asked).toEqual([
      'area_id=4 consumption_sheet_id=1 from=2026-11-01 page=1 product_id=2 staff_id=7 to=2026-11-20',
    ]);
    expect(screen.getByRole('link', { name: 'Registrar consumo' })).toHaveAttribute(
      'href',
      '/consumption-sheet-details/create?sheet=1',
    );
  });

  it('puts a chosen filter into the URL', async () => {
    const { asked } = serve();
    const { router } = await render({ at: '/consumption-sheet-details' }, { user: aSupervisor() });
    await userEvent.click(await screen.findByRole('button', { name: 'Filtros' }));
    await userEvent.click(await field('Área'));
    await userEvent.click(await screen.findByRole('option', { name: 'Urgencias' }));
    await waitFor(() => expect(router.state.location.search).toBe('?area=5'));
    await waitFor(() => expect(asked.at(-1)).toContain('area_id=5'));
    // One button clears all filters.
    await userEvent.click(await screen.findByRole('button', { name: 'Quitar filtros' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
    expect(await screen.findByRole('button', { name: 'Filtros' })).toBeVisible();
  });

  it('has the lines of patients, or what an area used', async () => {
    const { asked } = serve();
    const { router } = await render({ at: '/consumption-sheet-details?area=4' }, { user: aSupervisor() });
    expect(await screen.findByRole('link', { name: 'Hoja 1' })).toBeVisible();
    await userEvent.selectOptions(await screen.findByLabelText('Para quién'), 'Área');
    await userEvent.selectOptions(await screen.findByLabelText('Motivo'), 'Vencido');
    await waitFor(() => expect(router.state.location.search).toBe('?area=4&for=area&use_reason=expired'));
    await waitFor(() => expect(asked.at(-1)).toBe('area_id=4 page=1 use_reason=expired used_for=area'));
    expect(asked[0]).toBe('area_id=4 page=1');
    // It leads to the area, not to the sheet of a patient.
    expect(await screen.findByRole('link', { name: 'Gasto del área' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Hoja 1' })).toBeNull();
  });

  it('reports too many results for sorting, then drops the order', async () => {
    const { asked } = serve();
    const text = 'Más de 20.000 resultados son demasiados para ordenarlos así.';
    server.use(
      http.get('/api/consumption-details', ({ request }) =>
        new URL(request.url).searchParams.has('sort')
          ? HttpResponse.json(
              { message: [text], errors: [{ field: null, code: 'sort.too_many', message: text }] },
              { status: 422 },
            )
          : undefined,
      ),
    );
    await render({ at: '/consumption-sheet-details?area=5&sort=-quantity' }, { user: aSupervisor() });
    expect(await screen.findByText(text)).toBeVisible();
    await userEvent.click(screen.getByRole('link', { name: 'Volver al orden habitual' }));
    expect(await screen.findByRole('link', { name: 'Gasa estéril' })).toBeVisible();
    expect(asked.at(-1)).toBe('area_id=5 page=1');
  });

  it('shows ward staff neither totals nor the staff filter', async () => {
    const { asked } = serve({
      unit_price: undefined,
      total: undefined,
      product: aProduct(1, 'Gasa estéril'),
    });
    await render({ at: '/consumption-sheet-details?staff=7&sort=total' }, { user: aNurse(), language: 'en' });
    expect(await screen.findByRole('link', { name: 'Gasa estéril' })).toBeVisible();
    expect(screen.queryByRole('columnheader', { name: 'Total' })).toBeNull();
    expect(screen.queryByRole('combobox', { name: 'Staff' })).toBeNull();
    expect(asked).toEqual(['page=1']);
  });
});

describe('one detail', () => {
  const at = '/consumption-sheet-details/41';

  it('shows product, staff, time and sheet', async () => {
    serve({ area: { id: 4, name: 'Quirófano' } });
    await render({ at }, { user: aSupervisor() });
    expect(await screen.findByRole('heading', { name: 'Gasa estéril' })).toBeVisible();
    const facts = within(screen.getByRole('region', { name: 'Gasa estéril' }));
    for (const text of [
      'María Quispe Mamani',
      '20 nov 2026, 12:30',
      '$0,35',
      '$0,70',
      'Lucía Paredes',
      'Quirófano',
    ])
      expect(facts.getByText(text)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Editar' })).toHaveAttribute('href', `${at}/edit`);
    expect(screen.getByRole('link', { name: 'Ir a la hoja' })).toHaveAttribute(
      'href',
      '/consumption-sheet-details/1/consumption-details',
    );
  });

  it('is not editable for ward staff, but deletable by its author', async () => {
    const { sent } = serve({
      total: undefined,
      unit_price: undefined,
      created_at: new Date().toISOString(),
    });
    const { router } = await render({ at: `${at}/edit` }, { user: aNurse() });
    expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
    await userEvent.click(screen.getByRole('link', { name: 'Volver' }));
    await screen.findByRole('heading', { name: 'Gasa estéril' });
    expect(router.state.location.pathname).toBe(at);
    expect(screen.queryByRole('link', { name: 'Editar' })).toBeNull();
    const dialog = await askToDelete();
    await userEvent.click(dialog.getByRole('button', { name: 'Borrar' }));
    await waitFor(() => expect(sent).toEqual([['deleted', '"3"']]));
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/consumption-sheet-details/1/consumption-details'),
    );
  });

  it.each([
    [
      'someone else recorded, on its page',
      at,
      { user_id: 99, created_at: new Date().toISOString() },
      aSupervisor(),
    ],
    ['someone else recorded, in its form', `${at}/edit`, { user_id: 99 }, aSupervisor()],
    ['one recorded oneself a while ago', at, {}, aNurse()],
  ])('requires a reason to delete what %s', async (_, address, change, user) => {
    const { sent } = serve(change);
    const { router } = await render({ at: address }, { user });
    const dialog = await askToDelete();
    await userEvent.click(dialog.getByRole('button', { name: 'Borrar' }));
    const reason = dialog.getByLabelText(/^Motivo/);
    expect(reason).toHaveAccessibleDescription(/Este dato es obligatorio\./);
    await userEvent.type(reason, 'Paciente equivocado');
    await userEvent.click(dialog.getByRole('button', { name: 'Borrar' }));
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/consumption-sheet-details/1/consumption-details'),
    );
    // The form behind the dialog was not submitted.
    expect(sent).toEqual([['voided', '"3"', { reason: 'Paciente equivocado' }]]);
  });

  it.each([
    ['someone else recorded', { user_id: 99 }, aSheet()],
    ['stands on a closed sheet', {}, aSheet({ closed: true, deleted_at: '2026-11-20T15:00:00Z' })],
  ])('is read-only if it %s', async (_, change, sheet) => {
    serve(change, sheet);
    await render({ at }, { user: aNurse() });
    await screen.findByRole('heading', { name: 'Gasa estéril' });
    expect(screen.queryByRole('button', { name: 'Borrar' })).toBeNull();
  });
});

describe('editing a detail on its own page', () => {
  const at = '/consumption-sheet-details/41/edit';
  const total = () => screen.getByRole('textbox', { name: 'Total' });
  async function chooseUrgencias() {
    await userEvent.click(await field('Área'));
    await userEvent.keyboard('urg{Enter}');
    await waitFor(async () => expect(await field('Área')).toHaveValue('Urgencias'));
  }
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Guardar' }));

  it('changes product with its price, staff member and area', async () => {
    const { sent } = serve();
    const { router } = await render({ at }, { user: aSupervisor() });
    expect(await field('Producto')).toHaveValue('Gasa estéril');
    await userEvent.click(await field('Producto'));
    await userEvent.click(await screen.findByRole('option', { name: /Guante de nitrilo/ }));
    expect(total()).toHaveValue('0,36');
    await userEvent.click(await field('Personal'));
    await userEvent.click(await screen.findByRole('option', { name: 'Verónica Paredes' }));
    await chooseUrgencias();
    await save();
    expect(await screen.findByText('Detalle de la hoja de consumo actualizado')).toBeVisible();
    expect(sent).toEqual([
      [
        '"3"',
        { consumption_sheet_id: 1, product_id: 2, quantity: 2, staff_id: 9, area_id: 5, acknowledged: [] },
      ],
    ]);
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/consumption-sheet-details/1/consumption-details'),
    );
  });

  it('keeps an agreed total until product or quantity change', async () => {
    const { sent } = serve({ total: 5 });
    await render({ at }, { user: aSupervisor() });
    await chooseUrgencias();
    expect(total()).toHaveValue('5');
    await save();
    await waitFor(() => expect(sent).toMatchObject([['"3"', { total: 5, area_id: 5 }]]));
  });

  it('charges a line that the stay includes', async () => {
    const { sent } = serve({ total: 0, unbilled: 'included' });
    await render({ at }, { user: aSupervisor() });
    await field('Producto');
    expect(total()).toHaveValue('0');
    await userEvent.type(screen.getByRole('textbox', { name: 'Cantidad' }), '3');
    expect(total()).toHaveValue('0');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Cobrar esta línea' }));
    expect(total()).toHaveValue('1,05');
    await save();
    await waitFor(() => expect(sent).toMatchObject([['"3"', { quantity: 3, charged: true }]]));
    expect(JSON.stringify(sent)).not.toContain('total');
  });

  it('sends a typed total', async () => {
    const { sent } = serve();
    await render({ at }, { user: aSupervisor() });
    await field('Producto');
    await userEvent.type(screen.getByRole('textbox', { name: 'Cantidad' }), '3');
    expect(total()).toHaveValue('1,05');
    await userEvent.type(total(), '0,9');
    await save();
    await waitFor(() => expect(sent).toMatchObject([['"3"', { quantity: 3, total: 0.9 }]]));
  });

  it("shows the other user's version, and asks before overwriting", async () => {
    const { sent } = serve();
    await render({ at }, { user: aSupervisor() });
    await field('Producto');
    await userEvent.type(screen.getByRole('textbox', { name: 'Cantidad' }), '9');
    server.use(
      http.put('/api/consumption-details/41', () => HttpResponse.json({ message: 'x' }, { status: 412 }), {
        once: true,
      }),
      http.get('/api/consumption-details/41', () =>
        HttpResponse.json({ ...detail, version: 4, quantity: 8, total: 2.8 }),
      ),
    );
    await save();
    expect(await screen.findByText(/Ahora dice: 8 Gasa estéril, total \$2,80/)).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Cantidad' })).toHaveValue('9');
    expect(sent).toEqual([]);
    await save();
    await waitFor(() => expect(sent).toMatchObject([['"4"', { quantity: 9 }]]));
  });

  it.each(['Cantidad', 'Total'])(
    'offers what is scanned at %s as a product, changes nothing',
    async (label) => {
      const { sent } = serve();
      await render({ at }, { user: aSupervisor() });
      await field('Producto');
      await userEvent.type(screen.getByRole('textbox', { name: 'Cantidad' }), '3');
      await userEvent.type(total(), '0,9');
      await userEvent.click(screen.getByRole('textbox', { name: label }));
      await scan('9520000001858');
      await waitFor(async () => expect(await field('Producto')).toHaveFocus());
      expect(await field('Producto')).toHaveValue('9520000001858');
      expect(await screen.findByRole('option', { name: /Guante de nitrilo/ })).toBeVisible();
      expect(screen.getByRole('textbox', { name: 'Cantidad' })).toHaveValue('3');
      expect(total()).toHaveValue('0,9');
      // Leaving the field without a choice restores it.
      await userEvent.tab();
      expect(await field('Producto')).toHaveValue('Gasa estéril');
      await save();
      await waitFor(() => expect(sent).toMatchObject([['"3"', { product_id: 1, quantity: 3, total: 0.9 }]]));
    },
  );

  it('asks once about an unusual quantity, rejects non-numbers', async () => {
    const { sent } = serve();
    await render({ at }, { user: aSupervisor() });
    await field('Producto');
    const quantity = screen.getByRole('textbox', { name: 'Cantidad' });
    await userEvent.type(quantity, '5000');
    await userEvent.type(total(), '-5');
    await save();
    expect(total()).toHaveAccessibleDescription(
      '«-5» no es un número válido: escriba 0 o más, por ejemplo 0,5.',
    );
    await userEvent.type(total(), '5', { initialSelectionStart: 0, initialSelectionEnd: 9 });
    await save();
    await waitFor(() => expect(quantity).toHaveAccessibleDescription(/5000 es mucho/));
    expect(quantity).toHaveFocus();
    expect(sent).toHaveLength(1);
    await save();
    await waitFor(() =>
      expect(sent.at(-1)).toMatchObject(['"3"', { total: 5, acknowledged: ['quantity.far_out'] }]),
    );
  });

  it('is refused on a closed sheet', async () => {
    serve({}, aSheet({ closed: true, deleted_at: '2026-11-20T15:00:00Z' }));
    const { router } = await render({ at }, { user: aSupervisor() });
    await screen.findByRole('heading', { name: 'Gasa estéril' });
    expect(router.state.location.pathname).toBe('/consumption-sheet-details/41');
  });
});

describe('recording a detail outside of its sheet', () => {
  it('requires an open sheet, and opens it', async () => {
    const { sent } = serve();
    const { router } = await render({ at: '/consumption-sheet-details/create' }, { user: aNurse() });
    await userEvent.click(await screen.findByRole('button', { name: 'Registrar' }));
    expect(await field('Hoja')).toHaveAccessibleDescription('Este dato es obligatorio.');
    expect(screen.queryByRole('combobox', { name: 'Personal' })).toBeNull();
    await userEvent.click(await field('Hoja'));
    await userEvent.click(await screen.findByRole('option', { name: /María Quispe Mamani 201-A/ }));
    await userEvent.type(await field('Producto'), 'guante{Enter}');
    await waitFor(async () => expect(await field('Producto')).toHaveValue('Guante de nitrilo'));
    await userEvent.type(screen.getByRole('textbox', { name: 'Cantidad' }), '0,5{Enter}');
    expect(await screen.findByText('Detalle de la hoja de consumo creado')).toBeVisible();
    expect(sent).toEqual([
      [
        expect.stringMatching(/./),
        { consumption_sheet_id: 1, product_id: 2, quantity: 0.5, staff_id: 7, acknowledged: [] },
      ],
    ]);
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/consumption-sheet-details/1/consumption-details'),
    );
  });

  it('scans at the quantity into the product, asks if unusual', async () => {
    const { sent } = serve();
    await render({ at: '/consumption-sheet-details/create?sheet=1' }, { user: aNurse() });
    const quantity = await screen.findByRole('textbox', { name: 'Cantidad' });
    await userEvent.type(quantity, '2000');
    await scan('9520000001858');
    // Without the catalogue, the code behind the number is asked about.
    await userEvent.click(await screen.findByRole('button', { name: /^El producto/ }));
    await waitFor(async () => expect(await field('Producto')).toHaveValue('Guante de nitrilo'));
    expect(quantity).toHaveValue('2000');
    await userEvent.type(quantity, '{Enter}');
    await waitFor(() => expect(quantity).toHaveAccessibleDescription(/2000 es mucho/));
    await userEvent.keyboard('{Enter}');
    await waitFor(() =>
      expect(sent.at(-1)).toMatchObject([
        expect.stringMatching(/./),
        { product_id: 2, quantity: 2000, acknowledged: ['quantity.far_out'] },
      ]),
    );
  });

  it('asks about a quantity of 0, and records it if it is sent again', async () => {
    const { sent } = serve();
    await render({ at: '/consumption-sheet-details/create?sheet=1' }, { user: aNurse() });
    await userEvent.type(await field('Producto'), 'guante{Enter}');
    await waitFor(async () => expect(await field('Producto')).toHaveValue('Guante de nitrilo'));
    await userEvent.click(screen.getByRole('button', { name: 'Registrar' }));
    const quantity = screen.getByRole('textbox', { name: 'Cantidad' });
    await waitFor(() => expect(quantity).toHaveAccessibleDescription(/La cantidad es 0/));
    expect(sent).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(sent.at(-1)).toMatchObject([expect.anything(), { quantity: 0 }]));
  });

  it('needs no sheet if the URL has one', async () => {
    serve();
    await render({ at: '/consumption-sheet-details/create?sheet=1' }, { user: aNurse() });
    expect(await screen.findByText(/María Quispe Mamani/)).toBeVisible();
    expect(screen.queryByRole('combobox', { name: 'Hoja' })).toBeNull();
  });
});
