import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { KitView } from '@/api/generated';
import { putEntry } from '@/outbox/entries';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { aQuestion, serveMissed } from '@/test/missed';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';
import { aDetail, at, gauze, glove, largeGlove, product, rows, serveWard } from '@/test/ward';
import { waysDone } from '../common/waysDone';

const lineOf = (one: typeof gauze, quantity: number, change: Partial<KitView['lines'][number]> = {}) => ({
  product_id: one.id,
  product: { id: one.id, name: one.name, code: one.code, unit: one.unit, active: one.active },
  quantity,
  optional: false,
  ...change,
});

const kit: KitView = {
  id: 6,
  version: 1,
  name: 'Vía periférica',
  own: false,
  user_id: null,
  area: null,
  area_id: null,
  lines: [
    lineOf(gauze, 2),
    lineOf(glove, 1, { optional: true }),
    lineOf({ ...largeGlove, active: false }, 1),
  ],
};

interface SentTogether {
  key: string | null;
  kit_id?: number;
  items: {
    product_id: number;
    quantity: number;
    acknowledged?: string[];
    staff_id?: number;
    recall_reason?: string;
  }[];
}

/** Serve the ward, with the endpoint that records several lines. */
function serveBatch() {
  const ward = serveWard({ seesPrices: false });
  ward.kits = [kit];
  const together = {
    sent: [] as SentTogether[],
    refuse: undefined as
      | ((
          sent: SentTogether,
        ) => { field: string | null; message: string; acknowledgeable?: boolean }[] | undefined)
      | undefined,
  };
  server.use(
    http.post('/api/consumption-sheets/1/consumption-details/several', async ({ request }) => {
      const key = request.headers.get('Idempotency-Key');
      const sent = { ...((await request.json()) as Omit<SentTogether, 'key'>), key };
      together.sent.push(sent);
      const errors = together.refuse?.(sent)?.map((one) => ({ code: 'x', ...one }));
      if (errors)
        return HttpResponse.json({ message: errors.map(({ message }) => message), errors }, { status: 422 });
      const items = sent.items.map(({ product_id, quantity }, place) =>
        aDetail(200 + place, {
          product_id,
          product: [gauze, glove, largeGlove].find(({ id }) => id === product_id) ?? gauze,
          quantity,
        }),
      );
      ward.details = [...items, ...ward.details];
      ward.sheet = { ...ward.sheet, version: ward.sheet.version + 1 };
      return HttpResponse.json({ items }, { status: 201 });
    }),
  );
  return Object.assign(together, { ward });
}

const drawer = async () => within(await screen.findByRole('dialog'));
const amount = async (one: typeof gauze) =>
  (await drawer()).getByRole('textbox', { name: `Cantidad de ${nameAndCode(one)}` });

describe('a kit', () => {
  async function openKit() {
    await userEvent.type(await product(), 'via perif{Enter}');
    await drawer();
  }

  it('is found by name, and recorded as displayed by Enter', async () => {
    const { sent } = serveBatch();
    await render({ at }, { user: aNurse() });
    await openKit();
    expect(await amount(gauze)).toHaveFocus();
    expect(screen.getByRole('checkbox', { name: /Guante de nitrilo M/ })).not.toBeChecked();
    expect(screen.getByRole('checkbox', { name: /Guante de nitrilo G/ })).toBeDisabled();
    await userEvent.keyboard('4{Enter}');
    await waitFor(() => expect(sent).toMatchObject([{ kit_id: 6, items: [{ product_id: 1, quantity: 4 }] }]));
    expect(sent[0]?.items).toEqual([
      { product_id: 1, quantity: 4, staff_id: 7, acknowledged: [], occurred_at: expect.any(String) },
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(await product()).toHaveFocus();
    expect(await product()).toHaveValue('');
  });

  it('offers what usually comes with the kit as another line', async () => {
    const { sent } = serveBatch();
    const answers = serveMissed([aQuestion(largeGlove)]);
    await render({ at }, { user: aNurse() });
    await openKit();
    expect(await amount(gauze)).toHaveFocus();
    const question = await screen.findByRole('region', { name: '¿Falta registrar algo?' });
    expect(question).toHaveTextContent(`Con ${gauze.name} casi siempre:`);
    await userEvent.keyboard('4{Alt>}{1}{/Alt}');
    expect(sent).toEqual([]);
    await userEvent.click(await screen.findByRole('button', { name: 'Registrar 2 líneas' }));
    await waitFor(() =>
      expect(sent[0]?.items).toMatchObject([
        { product_id: 1, quantity: 4 },
        { product_id: 3, quantity: 1 },
      ]),
    );
    expect(answers).toEqual([{ product: '3', because_id: 1, used: true }]);
  });

  it('keeps quantities when refused; Enter acknowledges questions', async () => {
    const together = serveBatch();
    together.refuse = () => [{ field: 'items.1.quantity', message: 'Hasta 0 decimales.' }];
    await render({ at }, { user: aNurse() });
    await openKit();
    await userEvent.click(screen.getByRole('checkbox', { name: /Guante de nitrilo M/ }));
    await userEvent.clear(await amount(glove));
    await userEvent.type(await amount(glove), '0,5{Enter}');
    const refused = await (await drawer()).findByText('Hasta 0 decimales.');
    expect(refused.parentElement).toHaveTextContent('Guante de nitrilo M');
    expect(await amount(glove)).toHaveValue('0,5');
    together.refuse = ({ items }) =>
      items.some(({ acknowledged }) => acknowledged?.length)
        ? undefined
        : [{ field: 'items.0.lot', message: 'Falta el lote.', acknowledgeable: true }];
    await userEvent.type(await amount(glove), '{Enter}');
    expect(await (await drawer()).findByText(/Falta el lote\. Enter otra vez/)).toBeVisible();
    await userEvent.type(await amount(glove), '{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() =>
      expect(together.sent.at(-1)?.items).toMatchObject([
        { product_id: 1, acknowledged: ['x'] },
        { product_id: 2, quantity: 0.5 },
      ]),
    );
    expect(new Set(together.sent.map(({ key }) => key)).size).toBe(3);
    await waitFor(() => expect(rows()).toHaveLength(2));
  });

  it('sets recalled units aside, and records the rest with a reason', async () => {
    const together = serveBatch();
    const aside: unknown[] = [];
    server.use(
      http.post('/api/recalls/:id/set-aside', async ({ params, request }) => {
        aside.push([params.id, await request.json()]);
        return HttpResponse.json({ id: 1 }, { status: 201 });
      }),
    );
    const recalled = (place: number, recall_id: number) => ({
      field: `items.${place}.lot`,
      message: `Retirado (${recall_id}).`,
      acknowledgeable: true,
      code: 'lot.recalled',
      recall_id,
    });
    together.refuse = ({ items }) =>
      items.some((item) => item.recall_reason) ? undefined : [recalled(0, 4), recalled(1, 5)];
    await render({ at }, { user: aNurse() });
    await openKit();
    await userEvent.click(screen.getByRole('checkbox', { name: /Guante de nitrilo M/ }));
    await userEvent.type(await amount(glove), '{Enter}');
    await (await drawer()).findByText('Retirado (5).');
    await userEvent.click((await drawer()).getByRole('button', { name: `Apartar ${nameAndCode(gauze)}` }));
    await waitFor(() => expect(aside).toMatchObject([['4', { quantity: 2 }]]));
    expect(screen.getByRole('checkbox', { name: /Gasa/ })).not.toBeChecked();
    await userEvent.click((await drawer()).getByRole('button', { name: 'Registrar 1 línea' }));
    const question = await screen.findByRole('dialog', { name: '¿Registrar aunque está retirado?' });
    await userEvent.type(within(question).getByRole('textbox', { name: 'Motivo' }), 'era el último');
    await userEvent.click(within(question).getByRole('button', { name: 'Registrar de todos modos' }));
    await waitFor(() =>
      expect(together.sent.at(-1)?.items).toMatchObject([
        { product_id: 2, acknowledged: ['lot.recalled'], recall_reason: 'era el último' },
      ]),
    );
  });

  it('asks for the lot and the serial number of its implants, or for one reason', async () => {
    const together = serveBatch();
    const { ward } = together;
    const implant = { product: { ...lineOf(gauze, 1).product, implant: true } };
    const screw = { product: { ...lineOf(glove, 1).product, implant: true } };
    ward.kits = [{ ...kit, lines: [lineOf(gauze, 1, implant), lineOf(glove, 2, screw)] }];
    await render({ at }, { user: aNurse() });
    await openKit();
    await userEvent.type(
      await (await drawer()).findByRole('textbox', { name: `Lote: ${nameAndCode(gauze)}` }),
      'L1',
    );
    await userEvent.type(
      screen.getByRole('textbox', { name: `Número de serie: ${nameAndCode(gauze)}` }),
      'S1',
    );
    await userEvent.type(screen.getByRole('textbox', { name: `Lote: ${nameAndCode(glove)}` }), 'L2');
    await userEvent.click((await drawer()).getByRole('button', { name: 'Registrar 2 líneas' }));
    const question = within(await screen.findByRole('dialog', { name: '¿Por qué falta?' }));
    expect(question.getByText(`${nameAndCode(glove)}: Falta el número de serie.`)).toBeVisible();
    expect(together.sent).toEqual([]);
    await userEvent.click(question.getByRole('button', { name: 'La etiqueta no lo trae' }));
    await userEvent.click(question.getByRole('button', { name: 'Registrar de todos modos' }));
    const reason = { acknowledged: ['implant.incomplete'], implant_reason: 'La etiqueta no lo trae' };
    await waitFor(() =>
      expect(together.sent.at(-1)?.items).toMatchObject([
        { product_id: 1, lot: 'L1', serial: 'S1', acknowledged: [] },
        { product_id: 2, lot: 'L2', ...reason },
      ]),
    );
    expect(together.sent.at(-1)?.items[0]).not.toHaveProperty('implant_reason');
  });

  it('is undone as a whole', async () => {
    const { ward } = serveBatch();
    await render({ at }, { user: aNurse() });
    await openKit();
    await userEvent.click(screen.getByRole('checkbox', { name: /Guante de nitrilo M/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Registrar 2 líneas' }));
    const told = (await screen.findByText('2 líneas registradas')).parentElement as HTMLElement;
    await userEvent.click(within(told).getByRole('button', { name: 'Deshacer' }));
    await waitFor(() => expect(ward.details).toEqual([]));
  });

  it('does not outrank a product whose name begins with the text', async () => {
    const { ward } = serveBatch();
    ward.kits = [{ ...kit, name: 'Gasa y guantes' }];
    await render({ at }, { user: aNurse() });
    await userEvent.type(await product(), 'guante{Enter}');
    expect(await screen.findByRole('option', { name: /Kit · 3 productos/ })).toBeVisible();
    await userEvent.keyboard('{Enter}');
    expect(await product()).toHaveValue(glove.name);
  });
});

afterEach(() => {
  vi.useRealTimers();
});

it('opens on another day with all ticked, and offers former sheets', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
  const { ward } = serveBatch();
  const asked: string[] = [];
  server.use(
    http.get('/api/consumption-sheets', () =>
      HttpResponse.json(aPage([aSheet({ id: 70, admission_date: '2026-10-03' })])),
    ),
    http.get('/api/consumption-sheets/1/repeatable', ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      const day = searchParams.get('day');
      asked.push(search);
      if (searchParams.has('from_sheet'))
        return HttpResponse.json({
          day: null,
          days: ['2026-10-04'],
          items: [{ product: largeGlove, quantity: 1, times: 1 }],
        });
      const items = [{ product: day === '2026-11-20' ? gauze : glove, quantity: 6, times: 2 }];
      return HttpResponse.json({
        day: day ?? '2026-11-21',
        days: ['2026-11-19', '2026-11-20', '2026-11-21'],
        items,
      });
    }),
  );
  await render({ at }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Repetir de otro día' }));
  expect(await (await drawer()).findByRole('checkbox', { name: /Gasa estéril .* 2 veces/ })).toBeChecked();
  expect((await drawer()).getByRole('button', { name: 'Registrar 1 línea' })).toBeEnabled();
  const from = screen.getByRole('combobox', { name: 'Líneas de' });
  await userEvent.selectOptions(from, 'Hoja 70, ingreso del 3 oct 2026');
  expect(await (await drawer()).findByRole('checkbox', { name: /Guante de nitrilo G/ })).not.toBeChecked();
  // Today's lines are recorded already.
  await userEvent.selectOptions(from, '2026-11-21');
  expect(await (await drawer()).findByRole('checkbox', { name: /Guante de nitrilo M/ })).not.toBeChecked();
  await userEvent.selectOptions(from, '2026-11-19');
  await waitFor(async () =>
    expect((await drawer()).getByRole('checkbox', { name: /Guante de nitrilo M/ })).toBeChecked(),
  );
  expect(asked).toEqual(['', '?day=2026-11-20', '?from_sheet=70', '?day=2026-11-21', '?day=2026-11-19']);
  await userEvent.click(screen.getByRole('button', { name: 'Registrar 1 línea' }));
  // A single line is recorded like any other line.
  await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 2, quantity: 6 }]));
  expect(waysDone(aNurse().id)).toEqual(['repeat']);
});

describe('a quantity', () => {
  async function pasteOf(quantity: string) {
    const served = serveBatch();
    const saved: unknown[] = [];
    served.ward.byText = { 'GR-1': gauze };
    server.use(
      http.post('/api/kits', async ({ request }) => {
        saved.push(await request.json());
        return HttpResponse.json({ ...kit, own: true }, { status: 201 });
      }),
    );
    await render({ at }, { user: aNurse() });
    await userEvent.click(await product());
    await userEvent.paste(`GR-1;${gauze.name};3\r\nGR-1;${gauze.name};4\r\n`);
    const [first] = await (await drawer()).findAllByRole('textbox', { name: /Cantidad de Gasa/ });
    await userEvent.clear(first as HTMLElement);
    await userEvent.type(first as HTMLElement, quantity);
    return { ...served, saved };
  }

  it.each([
    ['10000', /9.?999,999/],
    ['0,1234', /decimales/],
  ])('of %s is refused here as in the bar', async (quantity, text) => {
    const { sent } = await pasteOf(quantity);
    await userEvent.keyboard('{Enter}');
    expect(await (await drawer()).findByRole('alert')).toHaveTextContent(text);
    expect(sent).toEqual([]);
  });

  it('that may be two numbers is not saved in a kit', async () => {
    const { saved } = await pasteOf('1.500');
    await userEvent.click((await drawer()).getByRole('button', { name: 'Guardar como kit' }));
    await userEvent.type((await drawer()).getByRole('textbox', { name: 'Nombre del kit' }), 'Suero{Enter}');
    expect(await (await drawer()).findByRole('alert')).toBeVisible();
    expect(saved).toEqual([]);
  });
});

it('saves ticked lines as a kit without recording them', async () => {
  const { sent, ward } = serveBatch();
  const saved: unknown[] = [];
  server.use(
    http.get('/api/consumption-sheets/1/repeatable', () =>
      HttpResponse.json({
        day: '2026-11-20',
        days: ['2026-11-20'],
        items: [
          { product: gauze, quantity: 6, times: 2 },
          { product: glove, quantity: 1, times: 1 },
        ],
      }),
    ),
    http.post('/api/kits', async ({ request }) => {
      saved.push(await request.json());
      return HttpResponse.json({ ...kit, own: true }, { status: 201 });
    }),
  );
  await render({ at }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Guardar como kit' }));
  const save = (await drawer()).getByRole('button', { name: 'Guardar kit' });
  expect(save).toBeDisabled();
  expect((await drawer()).queryByRole('button', { name: /Registrar/ })).toBeNull();
  const name = (await drawer()).getByRole('textbox', { name: 'Nombre del kit' });
  const gauzeTick = await (await drawer()).findByRole('checkbox', { name: /Gasa/ });
  await waitFor(() => expect(name).toHaveFocus());
  expect(name.compareDocumentPosition(gauzeTick)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await userEvent.click(gauzeTick);
  await userEvent.type(await amount(gauze), '{Enter}');
  expect(screen.getByRole('dialog')).toBeVisible();
  await userEvent.type(name, 'Mi curación');
  await userEvent.click(save);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const lines = [{ product_id: 1, quantity: 6, optional: false }];
  expect(saved).toEqual([{ name: 'Mi curación', own: true, lines }]);
  expect([...sent, ...ward.sent]).toEqual([]);
});

it('accepts spreadsheet rows with names, and asks for a quantity that is not clear', async () => {
  const { ward } = serveBatch();
  ward.byText = { 'GR-1': gauze };
  await render({ at }, { user: aNurse() });
  await userEvent.click(await product());
  await userEvent.paste(`GR-1;${gauze.name};3\r\nXX;${glove.name.toUpperCase()};2;4,50\r\n`);
  expect(await amount(gauze)).toHaveValue('3');
  expect(await amount(glove)).toHaveValue('');
});

it('keeps the pack data of pasted symbols, and asks what a scan asks', async () => {
  const { sent, ward } = serveBatch();
  const [fine, expired] = [']d2010952000000185817280131' + '10L1', ']d2010952000000185817200131' + '10V9'];
  const clean = { gtin: '09520000001858', serial: null, count: null, bare: false, incomplete: false };
  const read = { ...clean, separator_lost: false, expiry_unreadable: false };
  const matches = [{ product: gauze, system: 'gtin', units: 1, label: null }];
  ward.symbols = {
    [fine]: { reading: { ...read, lot: 'L1', expiry: '2028-01-31' }, matches },
    [expired]: { reading: { ...read, lot: 'V9', expiry: '2020-01-31' }, matches },
  };
  await render({ at }, { user: aNurse() });
  await userEvent.click(await product());
  await userEvent.paste(`${fine}\r\n${expired}\r\n`);
  expect(await (await drawer()).findByText(/^Venció/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Registrar 2 líneas' }));
  await waitFor(() =>
    expect(sent[0]?.items).toMatchObject([
      { lot: 'L1', input_method: 'scan', acknowledged: [] },
      { lot: 'V9', acknowledged: ['lot.expired'] },
    ]),
  );
});

it('accepts spreadsheet rows, and lists unknown codes', async () => {
  const { sent, ward } = serveBatch();
  ward.byText = { 'GR-1': gauze, 'GR-2': glove };
  const saved: unknown[] = [];
  server.use(
    http.post('/api/kits', async ({ request }) => {
      saved.push(await request.json());
      return HttpResponse.json({ ...kit, own: true }, { status: 201 });
    }),
  );
  await render({ at }, { user: aNurse() });
  await userEvent.click(await product());
  await userEvent.paste('GR-1\t3\r\nZZ-9\t1\r\nGR-2\t0,5\r\n');
  expect(await (await drawer()).findByText('No está en el catálogo (no se registrará): ZZ-9')).toBeVisible();
  expect(await amount(gauze)).toHaveValue('3');
  expect(await amount(glove)).toHaveValue('0,5');
  // Saving as a kit records nothing.
  await userEvent.click(screen.getByRole('button', { name: 'Guardar como kit' }));
  await userEvent.keyboard('Mi curación{Enter}');
  await waitFor(() =>
    expect(saved).toEqual([
      {
        name: 'Mi curación',
        own: true,
        lines: [
          { product_id: 1, quantity: 3, optional: false },
          { product_id: 2, quantity: 0.5, optional: false },
        ],
      },
    ]),
  );
  expect(sent).toEqual([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Registrar 2 líneas' }));
  await waitFor(() => expect(sent[0]?.items).toMatchObject([{ quantity: 3 }, { quantity: 0.5 }]));
});

it('keeps who, where, when and how of a refused batch when it is corrected', async () => {
  const { sent } = serveBatch();
  const item = (product: typeof gauze, input_method: 'scan' | 'text') => ({
    ...{ product, quantity: '0.5', gtin: null, lot: null, expiry: null, serial: null, acknowledged: [] },
    input_method,
  });
  await putEntry({
    key: 'a',
    user_id: aNurse().id,
    user_name: 'Lucía P.',
    sheet_id: 1,
    items: [item(gauze, 'scan'), item(glove, 'text')],
    staff_id: 8,
    area_id: 5,
    kit_id: null,
    occurred_at: '2026-11-20T12:00:00Z',
    state: 'refused',
    tries: 1,
    problem: [{ field: 'items.1.quantity', code: 'x', text: 'Hasta 0 decimales.' }],
  });
  await render({ at }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Corregir' }));
  await (await drawer()).findByText('Hasta 0 decimales.');
  await userEvent.clear(await amount(glove));
  await userEvent.type(await amount(glove), '3{Enter}');
  const kept = { staff_id: 8, area_id: 5, occurred_at: '2026-11-20T12:00:00Z' };
  await waitFor(() =>
    expect(sent[0]?.items).toMatchObject([
      { product_id: gauze.id, quantity: 0.5, input_method: 'scan', ...kept },
      { product_id: glove.id, quantity: 3, input_method: 'text', ...kept },
    ]),
  );
});
