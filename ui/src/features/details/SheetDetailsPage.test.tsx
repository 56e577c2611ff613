import { configure, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { DetailView, ProductView, SheetView } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

const at = '/consumption-sheet-details/1/consumption-details';
const category = { id: 1, code: 'GR', name: 'Guantes' };

const aProduct = (id: number, name: string, price: number): ProductView => ({
  id,
  name,
  price,
  category,
  category_id: 1,
  code: `GR-${id}`,
  gtin: null,
  unit: 'par',
  active: true,
});

const gauze = aProduct(1, 'Gasa estéril', 0.35);
const glove = aProduct(2, 'Guante de nitrilo M', 0.18);
const largeGlove = aProduct(3, 'Guante de nitrilo G', 0.18);

const aDetail = (id: number, change: Partial<DetailView> = {}): DetailView => ({
  id,
  version: 1,
  consumption_sheet_id: 1,
  product_id: 1,
  product: gauze,
  quantity: 2,
  unit_price: 0.35,
  total: 0.7,
  staff_id: 7,
  staff: { id: 7, name: 'Lucía', first_surname: 'Paredes', second_surname: null },
  area_id: null,
  area: null,
  user_id: 2,
  created_at: '2026-11-20T12:30:00Z',
  ...change,
});

const refusal = (field: string | null, message: string) =>
  HttpResponse.json({ message: [message], errors: [{ field, code: 'x', message }] }, { status: 422 });
const outdated = () => HttpResponse.json({ message: 'Otra persona cambió este registro.' }, { status: 412 });

interface Sent {
  key: string | null;
  product_id: number;
  quantity: number;
  staff_id?: number;
  area_id?: number;
}

/** A ward of one sheet: what is recorded shows when it is read again. */
function serveWard(start: { sheet?: Partial<SheetView>; details?: DetailView[]; seesPrices?: boolean } = {}) {
  const { seesPrices = true } = start;
  const ward = {
    sheet: aSheet(start.sheet),
    details: start.details ?? [],
    sent: [] as Sent[],
    searched: [] as (string | null)[],
    /** What to answer instead of recording. */
    refuse: undefined as ((sent: Sent) => Response | undefined) | undefined,
    /** Recording waits for this. */
    held: Promise.resolve(),
  };
  /** Holds what is sent until the answer is called. */
  const hold = () => {
    let release = () => {};
    ward.held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  const conceal = ({ unit_price, total, ...rest }: DetailView) =>
    seesPrices ? { ...rest, unit_price, total } : { ...rest, product: { ...rest.product, price: undefined } };
  server.use(
    http.get('/api/consumption-sheets/1', () => {
      const cents = ward.details.reduce((sum, { total = 0 }) => sum + Math.round(total * 100), 0);
      return HttpResponse.json({
        ...ward.sheet,
        consumptions: [{ created_at: '2026-11-20', details: ward.details.length }],
        total: seesPrices ? cents / 100 : undefined,
      });
    }),
    http.get('/api/consumption-sheets/1/consumption-details', ({ request }) => {
      const from = Number(new URL(request.url).searchParams.get('cursor') ?? 0);
      const items = ward.details.slice(from, from + 100).map(conceal);
      const rest = ward.details.length > from + 100 ? { next: String(from + 100) } : {};
      return HttpResponse.json({
        items,
        meta: { page: 1, limit: 100, total: ward.details.length, pages: 1, ...rest },
      });
    }),
    http.post('/api/consumption-sheets/1/consumption-details', async ({ request }) => {
      const sent = {
        key: request.headers.get('Idempotency-Key'),
        ...((await request.json()) as Omit<Sent, 'key'>),
      };
      ward.sent.push(sent);
      await ward.held;
      const refused = ward.refuse?.(sent);
      if (refused) return refused;
      const product = [gauze, glove, largeGlove].find(({ id }) => id === sent.product_id) ?? gauze;
      const total = Math.round((product.price ?? 0) * sent.quantity * 100) / 100;
      const detail = aDetail(100 + ward.details.length, {
        product_id: product.id,
        product,
        quantity: sent.quantity,
        unit_price: product.price,
        total,
      });
      ward.details = [detail, ...ward.details];
      return HttpResponse.json(conceal(detail), { status: 201 });
    }),
    http.get('/api/products', ({ request }) => {
      const name = new URL(request.url).searchParams.get('name');
      ward.searched.push(name);
      const found = [gauze, glove, largeGlove].filter(
        (product) =>
          product.code === name?.toUpperCase() ||
          product.name.toLowerCase().includes(name?.toLowerCase() ?? ''),
      );
      return HttpResponse.json(aPage(found.map((one) => (seesPrices ? one : { ...one, price: undefined }))));
    }),
    http.get('/api/areas', () => HttpResponse.json(aPage([]))),
  );
  return Object.assign(ward, { hold });
}

const product = () => screen.findByRole('combobox', { name: 'Producto' });
const quantity = () => screen.getByRole('textbox', { name: 'Cantidad' });
const rows = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

/** As a person does it: search, Enter, quantity, Enter. */
async function record(search: string, amount: string) {
  await userEvent.type(await product(), `${search}{Enter}`);
  await waitFor(() => expect(quantity()).toHaveFocus());
  await userEvent.keyboard(`${amount}{Enter}`);
}

// Whole pages, key by key: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

describe('recording with the keyboard alone', () => {
  it('goes from the product to the quantity and back, and shows line and total at once', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '2');
    expect(await product()).toHaveFocus();
    expect(await product()).toHaveValue('');
    expect(quantity()).toHaveValue('0');
    await record('GR-2', '0,5');
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(rows()[0]).toContain('Guante de nitrilo M0,5$0,09');
    expect(rows()[1]).toContain('Gasa estéril2$0,70');
    expect(await screen.findByText('$0,79')).toBeVisible();
    expect(screen.getByText('Registrado: 0,5 × Guante de nitrilo M')).toBeInTheDocument();
    expect(screen.getByText('Detalle de la hoja de consumo creado')).toBeVisible();
    expect(ward.sent).toMatchObject([
      { product_id: 1, quantity: 2, staff_id: 7 },
      { product_id: 2, quantity: 0.5, staff_id: 7 },
    ]);
    expect(ward.sent[0]?.key).not.toBe(ward.sent[1]?.key);
  });

  it('offers what was found when it is more than one, and arrows choose', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), 'guante{Enter}');
    expect(await screen.findAllByRole('option')).toHaveLength(2);
    expect(await product()).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(await product()).toHaveValue('Guante de nitrilo G');
    expect(quantity()).toHaveFocus();
    await userEvent.keyboard('3');
    expect(screen.getByText('$0,54')).toBeVisible();
    expect(ward.sent).toEqual([]);
  });

  it('searches by itself once typing rests for 700 ms', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), 'gua');
    await delay(400);
    expect(ward.searched).not.toContain('gua');
    await waitFor(() => expect(ward.searched).toContain('gua'), { timeout: 5_000 });
  });

  it('records a quantity of 0 only when Enter is pressed again', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '');
    expect(quantity()).toHaveAccessibleDescription('Es 0. Enter otra vez para registrarlo así.');
    expect(ward.sent).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ quantity: 0 }]));
  });

  it.each([
    ['9520000009250', 'El máximo es 999.999,999.'],
    ['0,1234', 'Hasta 3 decimales.'],
    ['{Backspace}', 'Este dato es obligatorio.'],
  ])('does not take %s for a quantity', async (typed, message) => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', typed);
    expect(quantity()).toHaveAccessibleDescription(message);
    expect(ward.sent).toEqual([]);
  });

  it('asks for a product, and goes there', async () => {
    serveWard();
    await render({ at }, { user: aSupervisor() });
    await product();
    await userEvent.type(quantity(), '2{Enter}');
    expect(await product()).toHaveAccessibleDescription('Elija un producto.');
    await waitFor(async () => expect(await product()).toHaveFocus());
  });

  it('keeps staff and area for the next one', async () => {
    const ward = serveWard();
    const areas = [
      { id: 4, name: 'Quirófano' },
      { id: 5, name: 'Urgencias' },
    ];
    server.use(
      http.get('/api/areas', () => HttpResponse.json(aPage(areas))),
      http.get('/api/staff', () =>
        HttpResponse.json(
          aPage([{ id: 9, name: 'Verónica', first_surname: 'Aguilar', second_surname: null }]),
        ),
      ),
    );
    const { permissions } = aSupervisor();
    const user = aSupervisor({ permissions: [...permissions, 'details.record_for_any_staff'] });
    await render({ at }, { user });
    const area = await screen.findByRole('combobox', { name: 'Área' });
    expect(area).toHaveValue('Seleccione una opción...');
    await userEvent.click(area);
    await userEvent.keyboard('urg{ArrowDown}{Enter}');
    expect(area).toHaveValue('Urgencias');
    const staff = screen.getByRole('combobox', { name: 'Personal' });
    expect(staff).toHaveValue('Lucía Paredes');
    await userEvent.type(staff, 'vero{Enter}', { initialSelectionStart: 0, initialSelectionEnd: 99 });
    await waitFor(() => expect(staff).toHaveValue('Verónica Aguilar'));
    await record('gasa', '1');
    await record('gasa', '2');
    await waitFor(() => expect(ward.sent).toHaveLength(2));
    expect(ward.sent[1]).toMatchObject({ staff_id: 9, area_id: 5 });
  });
});

describe('the queue', () => {
  it('takes the next before the last is recorded, and records all in their order', async () => {
    const ward = serveWard();
    const release = ward.hold();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    await record('gasa', '2');
    await record('gasa', '3');
    expect(screen.getAllByText('Registrando...')).toHaveLength(3);
    expect(ward.sent).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Finalizar hoja' })).toBeDisabled();
    release();
    await waitFor(() => expect(ward.details).toHaveLength(3));
    expect(ward.sent.map((one) => one.quantity)).toEqual([1, 2, 3]);
    await waitFor(() => expect(screen.queryByText('Registrando...')).toBeNull());
    expect(rows().map((row) => row?.match(/estéril(\d)/)?.[1])).toEqual(['3', '2', '1']);
  });

  it('gives a refused one back to the form, with its message at its field', async () => {
    const ward = serveWard();
    ward.refuse = () => refusal('product_id', 'Elija otro producto: este está inactivo.');
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '4');
    await waitFor(async () =>
      expect(await product()).toHaveAccessibleDescription('Elija otro producto: este está inactivo.'),
    );
    expect(await product()).toHaveValue('Gasa estéril');
    expect(quantity()).toHaveValue('4');
  });

  it('keeps a refused one beside the list while the form is in use', async () => {
    const ward = serveWard();
    const release = ward.hold();
    ward.refuse = ({ product_id }) => (product_id === 1 ? refusal('product_id', 'Inactivo.') : undefined);
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '4');
    await userEvent.type(await product(), 'gr-2{Enter}');
    await waitFor(async () => expect(await product()).toHaveValue('Guante de nitrilo M'));
    release();
    expect(await screen.findByText('4 × Gasa estéril')).toBeVisible();
    expect(await product()).toHaveValue('Guante de nitrilo M');
    await userEvent.click(screen.getByRole('button', { name: 'Corregir' }));
    expect(await product()).toHaveValue('Gasa estéril');
    expect(quantity()).toHaveValue('4');
    expect(screen.getByText('0 × Guante de nitrilo M')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Descartar' }));
    expect(screen.queryByText('Sin registrar')).toBeNull();
  });

  it('waits without an answer, and tries again with the same keys', async () => {
    const ward = serveWard();
    ward.refuse = () => HttpResponse.error();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    expect(await screen.findByText(/1 registro espera/)).toBeVisible();
    await record('gasa', '2');
    expect(await screen.findByText(/2 registros esperan/)).toBeVisible();
    await userEvent.click(screen.getByRole('link', { name: 'Volver a las hojas de consumo' }));
    const dialog = await screen.findByRole('dialog', { name: 'Salir sin registrar lo pendiente?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
    ward.refuse = undefined;
    await userEvent.click(await screen.findByRole('button', { name: 'Reintentar' }));
    await waitFor(() => expect(ward.details).toHaveLength(2));
    expect(ward.sent.map((one) => one.quantity)).toEqual([1, 1, 2]);
    expect(ward.sent[0]?.key).toBe(ward.sent[1]?.key);
  });

  it('turns closed when someone closed the sheet, and says what is not on it', async () => {
    const ward = serveWard();
    ward.refuse = () => {
      ward.sheet = aSheet({ closed: true, deleted_at: '2026-11-20T15:00:00Z' });
      return refusal(null, 'La hoja de consumo está cerrada.');
    };
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '6');
    expect(await screen.findByText('Hoja cerrada')).toBeVisible();
    expect(screen.getByText('6 × Gasa estéril')).toBeVisible();
    expect(screen.queryByRole('combobox', { name: 'Producto' })).toBeNull();
  });
});

describe('what a person may see', () => {
  it('is no price for ward staff, and delete for their own lines alone', async () => {
    serveWard({ seesPrices: false, details: [aDetail(1, { user_id: 3 }), aDetail(2)] });
    await render({ at }, { user: aNurse() });
    expect(await screen.findAllByRole('button', { name: 'Borrar Gasa estéril' })).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Editar Gasa estéril' })).toBeNull();
    expect(screen.queryByRole('columnheader', { name: 'Precio' })).toBeNull();
    expect(screen.queryByRole('combobox', { name: 'Personal' })).toBeNull();
    await record('gasa', '3');
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(document.body.textContent).not.toMatch(/\$|Total|GR\b(?!-)/);
  });

  it('is the closed state of a closed sheet', async () => {
    serveWard({ sheet: { closed: true, deleted_at: '2026-11-20T15:00:00Z' }, details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    expect(await screen.findByText(/Se cerró el 20 nov 2026, 15:00/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /Registrar|Finalizar|Editar|Borrar/ })).toBeNull();
  });

  it('is that there is nothing yet', async () => {
    serveWard();
    await render({ at }, { user: aNurse(), language: 'en' });
    expect(await screen.findByText('No data found')).toBeVisible();
  });

  it('is a hundred lines, and the rest when asked for', async () => {
    serveWard({ details: Array.from({ length: 130 }, (_, place) => aDetail(200 - place)) });
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(rows()).toHaveLength(100));
    await userEvent.click(screen.getByRole('button', { name: 'Mostrar 30 más' }));
    await waitFor(() => expect(rows()).toHaveLength(130));
  });
});

describe('correcting a line', () => {
  const edit = async () =>
    userEvent.click(await screen.findByRole('button', { name: 'Editar Gasa estéril' }));
  const editing = () => within(screen.getByRole('row', { name: 'Editar detalle de consumo' }));

  it('saves with Enter what it shows, total included, and only over what was seen', async () => {
    const ward = serveWard({ details: [aDetail(1, { version: 3 })] });
    let sent: unknown;
    server.use(
      http.put('/api/consumption-details/1', async ({ request }) => {
        sent = [request.headers.get('If-Match'), await request.json()];
        ward.details = [aDetail(1, { version: 4, quantity: 3, total: 1.05 })];
        return HttpResponse.json(ward.details[0]);
      }),
    );
    await render({ at }, { user: aSupervisor() });
    await edit();
    expect(editing().getByLabelText('Cantidad')).toHaveFocus();
    await userEvent.keyboard('3');
    expect(editing().getByLabelText('Total')).toHaveValue('1,05');
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('Detalle de la hoja de consumo actualizado')).toBeVisible();
    expect(sent).toMatchObject(['"3"', { quantity: 3, total: 1.05, product_id: 1, staff_id: 7 }]);
    expect(rows()[0]).toContain('3$1,05');
    expect(screen.getByRole('button', { name: 'Editar Gasa estéril' })).toHaveFocus();
  });

  it('leaves everything as it was with Escape', async () => {
    serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await edit();
    await userEvent.keyboard('9{Escape}');
    expect(rows()[0]).toContain('2$0,70');
    expect(screen.getByRole('button', { name: 'Editar Gasa estéril' })).toHaveFocus();
  });

  it('keeps what was typed when it is refused', async () => {
    serveWard({ details: [aDetail(1)] });
    server.use(http.put('/api/consumption-details/1', () => refusal('total', 'Reduzca el total.')));
    await render({ at }, { user: aSupervisor() });
    await edit();
    await userEvent.keyboard('9{Enter}');
    await waitFor(() =>
      expect(editing().getByLabelText('Total')).toHaveAccessibleDescription('Reduzca el total.'),
    );
    expect(editing().getByLabelText('Cantidad')).toHaveValue('9');
  });

  it('says that someone was quicker, and shows what they left', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    server.use(
      http.put('/api/consumption-details/1', () => {
        ward.details = [aDetail(1, { version: 2, quantity: 8, total: 2.8 })];
        return outdated();
      }),
    );
    await render({ at }, { user: aSupervisor() });
    await edit();
    await userEvent.keyboard('9{Enter}');
    expect(await screen.findByText(/Otra persona cambió este detalle/)).toBeVisible();
    await waitFor(() => expect(rows()[0]).toContain('8$2,80'));
  });

  it('deletes when the person is sure, and not before', async () => {
    const ward = serveWard({ details: [aDetail(1, { version: 5 })] });
    let ifMatch: string | null = null;
    server.use(
      http.delete('/api/consumption-details/1', ({ request }) => {
        ifMatch = request.headers.get('If-Match');
        ward.details = [];
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await render({ at }, { user: aSupervisor() });
    const remove = await screen.findByRole('button', { name: 'Borrar Gasa estéril' });
    await userEvent.click(remove);
    const dialog = await screen.findByRole('dialog', { name: 'Desea Borrar el detalle de consumo?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
    expect(ifMatch).toBeNull();
    await userEvent.click(remove);
    await userEvent.click(await screen.findByRole('button', { name: 'Borrar' }));
    expect(await screen.findByText('No se encontraron datos')).toBeVisible();
    expect(ifMatch).toBe('"5"');
  });
});

describe('closing the sheet', () => {
  it('shows what will be frozen, closes that alone, and goes to the list', async () => {
    serveWard({ sheet: { version: 12 }, details: [aDetail(1)] });
    let ifMatch: string | null = null;
    server.use(
      http.delete('/api/consumption-sheets/1/close', ({ request }) => {
        ifMatch = request.headers.get('If-Match');
        return HttpResponse.json(aSheet({ closed: true }));
      }),
      http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
    );
    const { router } = await render({ at }, { user: aSupervisor() });
    await userEvent.click(await screen.findByRole('button', { name: 'Finalizar hoja' }));
    const dialog = await screen.findByRole('dialog', { name: 'Finalizar hoja de consumo?' });
    expect(dialog).toHaveTextContent('1 registro');
    expect(dialog).toHaveTextContent('Total: $0,70');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Finalizar hoja' }));
    expect(await screen.findByText('Hoja de consumo finalizada')).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/consumption-sheets'));
    expect(ifMatch).toBe('"12"');
  });

  it('says that something was recorded meanwhile, and shows it', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    server.use(
      http.delete('/api/consumption-sheets/1/close', () => {
        ward.details = [aDetail(2), ...ward.details];
        return outdated();
      }),
    );
    await render({ at }, { user: aSupervisor(), language: 'en' });
    await userEvent.click(await screen.findByRole('button', { name: 'Close sheet' }));
    const dialog = await screen.findByRole('dialog', { name: 'Close the consumption sheet?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close sheet' }));
    expect(await screen.findByText(/Someone recorded or changed something/)).toBeVisible();
    await waitFor(() => expect(rows()).toHaveLength(2));
  });
});
