import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { ProductLookupView } from '@/api/generated';
import { scan } from '@/test/keys';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import {
  aDetail,
  at,
  gauze,
  glove,
  largeGlove,
  product,
  quantity,
  refusal,
  rows,
  serveWard,
} from '@/test/ward';

const GTIN = '09520000000011';
const nothing = { gtin: null, lot: null, expiry: null, serial: null, count: null };
const clean = { separator_lost: false, expiry_unreadable: false, incomplete: false, bare: false };

/** What a symbol of that product says. */
const means = (
  one: typeof gauze | null,
  read: Partial<NonNullable<ProductLookupView['reading']>> = {},
  match: { units?: number; label?: string } = {},
): Partial<ProductLookupView> => ({
  reading: { ...nothing, ...clean, gtin: one && GTIN, ...read },
  matches: one ? [{ product: one, system: 'gtin', units: 1, label: null, ...match }] : [],
});

const waiting = () => within(screen.getByText('Sin registrar').closest('[role="alert"]') as HTMLElement);

/** The bar, ready: with what its symbols mean. */
async function atTheBar(symbols: Record<string, Partial<ProductLookupView> | 'unanswered'> = {}) {
  const ward = serveWard();
  ward.symbols = symbols;
  await render({ at }, { user: aNurse() });
  await userEvent.click(await product());
  return ward;
}

/** Scans, and waits until that product is in hand. */
async function scanned(code: string, name = gauze.name) {
  await scan(code);
  await waitFor(async () => expect(await product()).toHaveValue(name));
}

describe('a scan', () => {
  it.each([
    [5, '{Enter}'],
    [33, '{Tab}'],
  ])('at %i ms a key, with %s, is the line in hand, and recorded by Enter alone', async (every, suffix) => {
    const ward = await atTheBar();
    await scan('102372', { every, suffix });
    await waitFor(async () => expect(await product()).toHaveValue(glove.name));
    expect(quantity()).toHaveValue('1');
    expect(await product()).toHaveFocus();
    expect(ward.sent).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 2, quantity: 1 }]));
    expect(await product()).toHaveValue('');
  });

  it('is recorded by the next one, each once and in their order', async () => {
    const ward = await atTheBar();
    await scanned('102371');
    await scanned('102372', glove.name);
    await scanned('102373', largeGlove.name);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.details).toHaveLength(3));
    expect(ward.sent.map(({ product_id, quantity }) => [product_id, quantity])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  it('of the same symbol again makes it two', async () => {
    const ward = await atTheBar();
    await scanned('102371');
    await scan('102371');
    await waitFor(() => expect(quantity()).toHaveValue('2'));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 2 }]));
  });

  it('takes how much of it from what is typed then, wherever the focus is', async () => {
    const ward = await atTheBar();
    await scanned('102371');
    await userEvent.keyboard('12');
    expect(quantity()).toHaveValue('12');
    expect(quantity()).toHaveFocus();
    // From the quantity as well, none of the code is a quantity.
    await scanned('102372', glove.name);
    expect(quantity()).toHaveValue('1');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 12 }]));
  });

  it('leaves a line beside the list of which something is open', async () => {
    const ward = await atTheBar();
    await userEvent.keyboard('gasa{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await scanned('102372', glove.name);
    expect(waiting().getByText('1 × Gasa estéril')).toBeVisible();
    // As it stands, it is recorded when that is said.
    expect(waiting().getByRole('button', { name: 'Registrar' })).toBeVisible();
    await userEvent.click(await product());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 2, quantity: 1 }]));
  });

  it('that is typed over waits beside the list; one that is rubbed out is gone', async () => {
    const ward = await atTheBar();
    await scanned('102371');
    await userEvent.keyboard('guante');
    expect(await screen.findByText('1 × Gasa estéril')).toBeVisible();
    expect(await product()).toHaveValue('guante');
    await userEvent.click(waiting().getByRole('button', { name: 'Registrar' }));
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 1 }]));
    await userEvent.clear(await product());
    await scanned('102372', glove.name);
    await userEvent.keyboard('{Escape}');
    expect(await product()).toHaveValue('');
    await scanned('102371');
    await userEvent.clear(await product());
    await userEvent.keyboard('{Enter}');
    expect(ward.sent).toHaveLength(1);
    expect(screen.queryByText('Sin registrar')).toBeNull();
  });

  it('stands there again after a reload, with all it told', async () => {
    const ward = await atTheBar({ '0109520000000011': means(gauze, { lot: 'L1', expiry: '2099-02-28' }) });
    await scanned('0109520000000011');
    cleanup();
    await render({ at }, { user: aNurse() });
    await waitFor(async () => expect(await product()).toHaveValue(gauze.name));
    expect(screen.getByText(/Lote L1/)).toBeVisible();
    await userEvent.click(await product());
    await userEvent.keyboard('{Enter}');
    await waitFor(() =>
      expect(ward.sent).toMatchObject([{ product_id: 1, lot: 'L1', expiry: '2099-02-28', gtin: GTIN }]),
    );
  });

  it('in the row that is corrected, or where nothing has the focus, is the next product', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await userEvent.click(await screen.findByRole('button', { name: 'Editar Gasa estéril' }));
    const editing = within(await screen.findByRole('row', { name: 'Editar detalle de consumo' }));
    await userEvent.keyboard('3');
    await scanned('102372', glove.name);
    expect(editing.getByLabelText('Cantidad')).toHaveValue('3');
    (document.activeElement as HTMLElement).blur();
    await scanned('102373', largeGlove.name);
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 2, quantity: 1 }]));
  });

  it('handed on as it came, with the separator that is pressed as Ctrl+]', async () => {
    const raw = `0109520000000011${'10'}L1\x1d21S9`;
    const ward = await atTheBar({ [raw]: means(gauze, { lot: 'L1', serial: 'S9' }) });
    await scanned('010952000000001110L1{Control>}]{/Control}21S9');
    expect(ward.lookedUp).toEqual([raw]);
    expect(screen.getByText('Lote L1 · S/N S9')).toBeVisible();
  });

  it('may be too slow to be known for one: then Enter looks it up', async () => {
    const ward = await atTheBar({ '010952000000001110L1': means(gauze, { lot: 'L1' }) });
    await userEvent.keyboard('010952000000001110L1{Enter}');
    await waitFor(async () => expect(await product()).toHaveValue(gauze.name));
    expect(ward.lookedUp).toEqual(['010952000000001110L1']);
  });

  it('of words is a search by them, however quickly they come', async () => {
    const ward = await atTheBar();
    await scan('guante de nitrilo m');
    await waitFor(() => expect(quantity()).toHaveFocus());
    expect(await product()).toHaveValue(glove.name);
    expect(quantity()).toHaveValue('1');
    expect(ward.lookedUp).toEqual([]);
  });

  it('may be pasted', async () => {
    const ward = await atTheBar({ '010952000000001110L1': means(gauze, { lot: 'L1' }) });
    await userEvent.paste('010952000000001110L1\r\n');
    await waitFor(async () => expect(await product()).toHaveValue(gauze.name));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ lot: 'L1', quantity: 1 }]));
  });
});

describe('what a symbol tells of the pack', () => {
  it('fills what is empty from a second symbol, and blanks nothing', async () => {
    const ward = await atTheBar({
      '0109520000000011': means(gauze),
      '17290131-10-L1': means(null, { lot: 'L1', expiry: '2099-01-31' }),
      '21-SER-9': means(null, { serial: 'SER9' }),
    });
    await scanned('0109520000000011');
    await scan('17290131-10-L1');
    expect(await screen.findByText(/Lote L1 · vence 31 ene 2099/)).toBeVisible();
    await scan('21-SER-9');
    expect(await screen.findByText(/Lote L1 · vence 31 ene 2099 · S\/N SER9/)).toBeVisible();
    expect(quantity()).toHaveValue('1');
    await userEvent.keyboard('{Enter}');
    await waitFor(() =>
      expect(ward.sent).toMatchObject([
        { product_id: 1, quantity: 1, lot: 'L1', expiry: '2099-01-31', serial: 'SER9', gtin: GTIN },
      ]),
    );
  });

  it('may come before the product', async () => {
    const ward = await atTheBar({
      '0109520000000011': means(gauze),
      '10-LOT-77': means(null, { lot: 'LOT77' }),
    });
    await scan('10-LOT-77');
    expect(await screen.findByText('Lote LOT77')).toBeVisible();
    await scanned('0109520000000011');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, lot: 'LOT77' }]));
  });

  it('is asked about where it says otherwise', async () => {
    const ward = await atTheBar({
      first: means(gauze, { lot: 'L1' }),
      second: means(null, { lot: 'L2' }),
    });
    await scanned('first');
    await scan('second');
    expect(await screen.findByText(/el símbolo dice «L2», la línea «L1»/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Es de otro paquete' }));
    expect(await screen.findByText('Lote L2')).toBeVisible();
    await waitFor(() => expect(ward.sent).toMatchObject([{ lot: 'L1' }]));
    await scan('first');
    await waitFor(() => expect(ward.sent).toMatchObject([{ lot: 'L1' }, { lot: 'L2' }]));
    await screen.findByText('Lote L1', { selector: 'button' });
    await scan('second');
    await userEvent.click(await screen.findByRole('button', { name: 'Corregir la línea' }));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{}, {}, { lot: 'L2', quantity: 1 }]));
  });

  it('is another line where the same product has another lot, and one unit where it has a serial number', async () => {
    const ward = await atTheBar({
      lot_1: means(gauze, { lot: 'L1' }),
      lot_2: means(gauze, { lot: 'L2' }),
      serial_1: means(glove, { serial: 'S1' }),
      serial_2: means(glove, { serial: 'S2' }),
    });
    await scanned('lot_1');
    await scan('lot_2');
    await screen.findByText('Lote L2');
    await scanned('serial_1', glove.name);
    await scan('serial_1');
    expect(await screen.findByText('Ese número de serie ya está en esta línea.')).toBeVisible();
    expect(quantity()).toHaveValue('1');
    await scan('serial_2');
    await screen.findByText('S/N S2');
    await userEvent.keyboard('2{Enter}');
    expect(quantity()).toHaveAccessibleDescription('Con número de serie la cantidad es 1.');
    await userEvent.keyboard('1{Enter}');
    await waitFor(() =>
      expect(ward.sent.map(({ lot, serial, quantity }) => [lot ?? serial, quantity])).toEqual([
        ['L1', 1],
        ['L2', 1],
        ['S1', 1],
        ['S2', 1],
      ]),
    );
  });

  it('is to be confirmed where a separator was lost, and never taken in silence', async () => {
    const ward = await atTheBar({
      'mixed-up': means(gauze, { lot: 'L1', serial: '7', separator_lost: true }),
    });
    await scanned('mixed-up');
    const lot = await screen.findByRole('textbox', { name: 'Lote' });
    await waitFor(() => expect(lot).toHaveFocus());
    expect(screen.getByText(/Confirme lote y serie/)).toBeVisible();
    await scanned('102372', glove.name);
    expect(ward.sent).toEqual([]);
    expect(waiting().queryByRole('button', { name: 'Registrar' })).toBeNull();
    await userEvent.click(waiting().getByRole('button', { name: 'Corregir' }));
    await userEvent.clear(screen.getByRole('textbox', { name: 'Lote' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Lote' }), 'L17{Enter}');
    expect(ward.sent).toEqual([]);
    await waitFor(async () => expect(await product()).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ lot: 'L17', serial: '7' }]));
  });

  it('is not read off digits alone: that they are its lot is for the person to say', async () => {
    const ward = await atTheBar({ '1042331': means(null, { lot: '42331', bare: true }) });
    await scanned('102371');
    await scan('1042331');
    expect(await screen.findByText(/«1042331», que puede ser el número de una pulsera/)).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toHaveLength(1));
    expect(ward.sent[0]?.lot ?? null).toBeNull();

    await scanned('102371');
    await scan('1042331');
    await userEvent.click(await screen.findByRole('button', { name: 'Lote 42331' }));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent[1]).toMatchObject({ product_id: 1, lot: '42331' }));
  });

  it('waits beside the list where a wristband or another unknown code is scanned', async () => {
    const ward = await atTheBar({ 'EXP-2025-0923': { reading: null, matches: [] } });
    await scanned('102371');
    await scan('EXP-2025-0923');
    expect(await screen.findByText(/No conocemos este código: EXP-2025-0923/)).toBeVisible();
    expect(waiting().getByText('1 × Gasa estéril')).toBeVisible();
    expect(ward.sent).toEqual([]);
  });

  it('says where part of a label cannot be read', async () => {
    const ward = await atTheBar({ 'half-read': means(gauze, { incomplete: true }) });
    await scanned('half-read');
    expect(screen.getByText(/No se pudo leer toda la etiqueta/)).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1 }]));
  });

  it('asks which product was meant where the scanner types for another keyboard', async () => {
    const ward = await atTheBar({
      "GA'01": { ...means(gauze, { gtin: null }), reading: null, read_as: 'GA-01' },
      "ZZ'01": { reading: null, matches: [], read_as: 'ZZ-01' },
    });
    await scan("GA'01");
    expect(
      await screen.findByText(/Llegó «GA'01»: el lector parece configurado para otro teclado/),
    ).toBeVisible();
    expect(await product()).toHaveValue('');
    await userEvent.click(screen.getByRole('button', { name: /Gasa estéril/ }));
    expect(await product()).toHaveValue(gauze.name);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toHaveLength(1));
    await scan("ZZ'01");
    expect(await screen.findByText(/quizá quiso decir ZZ-01/)).toBeVisible();
  });

  it.each([
    ['12', '{Enter}'],
    ['7', '{Tab}'],
    ['12', ''],
  ])('of the short code %s, ended with "%s", is never a quantity', async (code, suffix) => {
    const ward = await atTheBar({ [code]: means(glove, { gtin: null }) });
    await userEvent.keyboard('gasa{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await scan(code, { suffix });
    await waitFor(async () => expect(await product()).toHaveValue(glove.name));
    expect(quantity()).toHaveValue('1');
    // Which of them it is has not been confirmed.
    expect(waiting().getByText('1 × Gasa estéril')).toBeVisible();
    expect(ward.sent).toEqual([]);
  });

  it('can be corrected', async () => {
    const ward = await atTheBar({ first: means(gauze, { lot: 'L1' }) });
    await scanned('first');
    await userEvent.click(screen.getByRole('button', { name: 'Lote L1' }));
    const lot = screen.getByRole('textbox', { name: 'Lote' });
    await waitFor(() => expect(lot).toHaveFocus());
    await userEvent.clear(lot);
    await userEvent.keyboard('L9{Enter}');
    expect(await screen.findByRole('button', { name: 'Lote L9' })).toBeVisible();
    expect(await product()).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ lot: 'L9' }]));
  });

  it('stands in small in the line', async () => {
    await atTheBar({ first: means(gauze, { lot: 'L1', expiry: '2099-02-28', serial: '9' }) });
    await scanned('first');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(rows()[0]).toContain('Lote L1 · vence 02/2099 · S/N 9'));
  });
});

it('leaves open how much of a box was used', async () => {
  const ward = await atTheBar({
    'box-of-100': means(gauze, {}, { units: 100, label: 'caja de 100' }),
    'five-in-it': means(glove, { count: 5 }),
  });
  await scanned('box-of-100');
  expect(quantity()).toHaveValue('');
  expect(screen.getByText(/^caja de 100: ¿cuántas unidades se usaron\?/)).toBeVisible();
  await userEvent.keyboard('{Enter}');
  expect(quantity()).toHaveAccessibleDescription('Este dato es obligatorio.');
  expect(ward.sent).toEqual([]);
  await userEvent.keyboard('30{Enter}');
  await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 30 }]));
  await scanned('five-in-it', glove.name);
  await userEvent.click(screen.getByRole('button', { name: '5' }));
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(ward.sent).toMatchObject([{}, { product_id: 2, quantity: 5 }]));
});

describe('a code', () => {
  it('that nothing has says so, and keeps what else it told for the product that is then found', async () => {
    const ward = await atTheBar({
      'new-symbol': means(null, { gtin: GTIN, lot: 'L5' }),
    });
    await scanned('102371');
    await scan('new-symbol');
    expect(await screen.findByText(/No conocemos este código: \(01\) 09520000000011/)).toBeVisible();
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1 }]));
    await userEvent.click(screen.getByRole('button', { name: 'Buscar por nombre' }));
    await userEvent.keyboard('gr-2{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await userEvent.keyboard('2{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{}, { product_id: 2, lot: 'L5', gtin: GTIN }]));
    // It is for no other one.
    await scan('new-symbol');
    await screen.findByText(/No conocemos/);
    await scanned('102371');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toHaveLength(3));
    expect(ward.sent[2]?.lot).toBeUndefined();
  });

  it('is noted for whoever keeps the catalogue, where it is one that can be', async () => {
    const noted = { system: 'gtin', code: GTIN };
    await atTheBar({ 'new-symbol': { ...means(null, { gtin: GTIN }), noted }, 'too-long-a-text': {} });
    await scan('new-symbol');
    expect(
      await screen.findByText(/09520000000011\. Queda anotado para quien lleva el catálogo/),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Es este producto…' })).toBeNull();
    await scan('too-long-a-text');
    expect(await screen.findByText(/No conocemos este código: too-long-a-text\./)).toBeVisible();
    expect(screen.queryByText(/Queda anotado/)).toBeNull();
  });

  it('is given to its product by whoever keeps the catalogue, and is in hand with all that it told', async () => {
    const ward = serveWard();
    const noted = { system: 'gtin', code: GTIN };
    ward.symbols = {
      'new-symbol': { ...means(null, { gtin: GTIN, lot: 'L5', expiry: '2099-02-28' }), noted },
    };
    const added: unknown[] = [];
    server.use(
      http.post('/api/products/2/codes', async ({ request }) => {
        added.push(await request.json());
        const read = { lot: 'L5', expiry: '2099-02-28' };
        ward.symbols = { 'new-symbol': means(glove, read, { units: 1 }) };
        return HttpResponse.json({ id: 1, product_id: 2, ...noted, units: 1, label: null }, { status: 201 });
      }),
    );
    await render({ at }, { user: aSupervisor() });
    await userEvent.click(await product());
    await scan('new-symbol');
    await userEvent.click(await screen.findByRole('button', { name: 'Es este producto…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Vincular código' }));
    await userEvent.type(dialog.getByRole('combobox', { name: 'Producto' }), 'gr-2{Enter}');
    await waitFor(() => expect(dialog.getByRole('combobox', { name: 'Producto' })).toHaveValue(glove.name));
    await userEvent.click(dialog.getByRole('button', { name: 'Guardar' }));
    await waitFor(async () => expect(await product()).toHaveValue(glove.name));
    expect(added).toEqual([{ system: 'gtin', code: GTIN, units: 1, label: '' }]);
    expect(screen.getByText(/Lote L5 · vence 28 feb 2099/)).toBeVisible();
    expect(screen.queryByText(/No conocemos/)).toBeNull();
    expect(ward.sent).toEqual([]);
    await waitFor(async () => expect(await product()).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await waitFor(() =>
      expect(ward.sent).toMatchObject([{ product_id: 2, quantity: 1, lot: 'L5', gtin: GTIN }]),
    );
  });

  it('of an inactive product is told, and takes nothing', async () => {
    const ward = await atTheBar({ retired: means({ ...gauze, active: false }) });
    await scan('retired');
    expect(
      await screen.findByText('El producto Gasa estéril está inactivo: no se puede registrar.'),
    ).toBeVisible();
    await userEvent.keyboard('{Enter}');
    expect(await product()).toHaveValue('');
    expect(ward.sent).toEqual([]);
  });

  it('of two products chooses neither', async () => {
    const match = (one: typeof gauze) => ({ product: one, system: 'gtin', units: 1, label: null });
    const ward = await atTheBar({ 'two-of-them': { matches: [match(gauze), match(glove)] } });
    await scan('two-of-them');
    await screen.findByText(/Este código es de varios productos/);
    await userEvent.keyboard('{Enter}');
    expect(await product()).toHaveValue('');
    await userEvent.click(screen.getByRole('button', { name: /Guante de nitrilo M/ }));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 2, quantity: 1 }]));
  });
});

describe('a slow look-up', () => {
  it('makes the next ones wait behind it, in their order', async () => {
    const ward = await atTheBar();
    let answer = () => {};
    ward.slow = (code) =>
      code === '102371'
        ? new Promise((resolve) => {
            answer = () => resolve();
          })
        : Promise.resolve();
    await scan('102371');
    await scan('102372');
    await scan('102373');
    expect(await screen.findByText('Buscando 3 códigos…')).toBeVisible();
    expect(await product()).toHaveValue('');
    answer();
    await waitFor(async () => expect(await product()).toHaveValue(largeGlove.name));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent.map(({ product_id }) => product_id)).toEqual([1, 2, 3]));
  });

  it('that is answered after somebody typed on changes nothing', async () => {
    const ward = await atTheBar();
    let answer = () => {};
    ward.slow = () =>
      new Promise((resolve) => {
        answer = () => resolve();
      });
    await scan('102371');
    await screen.findByText('Buscando el código…');
    await userEvent.keyboard('gua');
    expect(await screen.findByText(/no se buscó más/)).toBeVisible();
    answer();
    await userEvent.keyboard('nte{Enter}');
    expect(await screen.findAllByRole('option')).toHaveLength(2);
    expect(await product()).toHaveValue('guante');
    expect(ward.sent).toEqual([]);
  });

  it('that is not answered keeps the codes until it is', async () => {
    const ward = await atTheBar({ '102371': 'unanswered' });
    await scan('102371');
    expect(await screen.findByText('1 código espera a que haya conexión.')).toBeVisible();
    await scan('102372');
    expect(await screen.findByText('2 códigos esperan a que haya conexión.')).toBeVisible();
    ward.symbols = {};
    await userEvent.click(screen.getByRole('button', { name: 'Reintentar' }));
    await waitFor(async () => expect(await product()).toHaveValue(glove.name));
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1 }]));
  });
});

it('that is not answered is looked up again after a reload, in order, and nothing is recorded by itself', async () => {
  const away = ['102371', 'unknown-one', '102372', '102373'].map((code) => [code, 'unanswered' as const]);
  const ward = await atTheBar(Object.fromEntries(away));
  await scan('102371');
  await scan('unknown-one');
  await scan('102372');
  await scan('102373');
  expect(await screen.findByText('4 códigos esperan a que haya conexión.')).toBeVisible();
  cleanup();
  // The server is still away.
  await render({ at }, { user: aNurse() });
  expect(await screen.findByText('4 códigos esperan a que haya conexión.')).toBeVisible();
  cleanup();
  ward.symbols = {};
  ward.lookedUp.length = 0;
  await render({ at }, { user: aNurse() });
  await waitFor(async () => expect(await product()).toHaveValue(largeGlove.name));
  expect(ward.lookedUp).toEqual(['102371', 'unknown-one', '102372', '102373']);
  expect(await screen.findByText('unknown-one no se registró. Escanéelo otra vez.')).toBeVisible();
  expect(waiting().getByText('1 × Gasa estéril')).toBeVisible();
  expect(waiting().getByText('1 × Guante de nitrilo M')).toBeVisible();
  expect(ward.sent).toEqual([]);
  // They are looked up once.
  cleanup();
  await render({ at }, { user: aNurse() });
  await waitFor(async () => expect(await product()).toHaveValue(largeGlove.name));
  expect(ward.lookedUp).toHaveLength(4);
  expect(quantity()).toHaveValue('1');
});

it('never takes the Enter at the end of a code for one of a person, be the code dealt with already', async () => {
  const ward = await atTheBar();
  await scan('102371', { suffix: '' });
  await waitFor(async () => expect(await product()).toHaveValue(gauze.name));
  // It was pressed 10 ms after the last character, however late the page hears of it.
  await scan('', { after: 0 });
  expect(await product()).toHaveValue(gauze.name);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(ward.sent).toHaveLength(1));
});

describe('what may be gone past', () => {
  const recall = { id: 1, reason: 'esterilidad en duda', since: '2026-11-01T10:00:00Z' };

  it('is asked once: a lot that is expired, and recalled', async () => {
    const ward = await atTheBar({
      'too-old': { ...means(gauze, { lot: 'L1', expiry: '2020-10-31' }), recall },
    });
    await scanned('too-old');
    const told = await screen.findByText(
      /Venció el 31 oct 2020\. El lote está retirado: esterilidad en duda\./,
    );
    expect(told.closest('[role=alert]')).toBeVisible();
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('Enter otra vez para registrarlo así.')).toBeVisible();
    expect(ward.sent).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await waitFor(() =>
      expect(ward.sent).toMatchObject([{ product_id: 1, acknowledged: ['lot.expired', 'lot.recalled'] }]),
    );
  });

  it('waits beside the list when the next one is scanned, and says what is asked', async () => {
    const ward = await atTheBar({
      'used-before': {
        ...means(gauze, { serial: 'S9' }),
        serial_used: { consumption_sheet_id: 71, at: '2026-11-20T10:20:00Z' },
      },
    });
    await scanned('used-before');
    await scanned('102372', glove.name);
    expect(ward.sent).toEqual([]);
    expect(waiting().getByText(/Ese número de serie ya está en la hoja 71/)).toBeVisible();
    await userEvent.click(waiting().getByRole('button', { name: 'Registrar así' }));
    await waitFor(() => expect(ward.sent).toMatchObject([{ serial: 'S9', acknowledged: ['serial.used'] }]));
  });

  it('is a lot that is asked for and missing: Enter in its empty field', async () => {
    const ward = await atTheBar({ 'asks-for-it': means({ ...gauze, asks_lot: true }) });
    await scanned('asks-for-it');
    await userEvent.keyboard('{Enter}');
    const lot = screen.getByRole('textbox', { name: 'Lote' });
    await waitFor(() => expect(lot).toHaveFocus());
    expect(ward.sent).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ acknowledged: ['lot.required'] }]));
    await scanned('asks-for-it');
    await userEvent.type(screen.getByRole('textbox', { name: 'Lote' }), 'L4{Enter}');
    await waitFor(() => expect(ward.sent.at(-1)).toMatchObject({ lot: 'L4' }));
    expect(ward.sent.at(-1)?.acknowledged).toBeUndefined();
  });

  it('is a serial number that is asked for and missing, after the lot', async () => {
    const asking = { ...gauze, asks_lot: true, asks_serial: true };
    const ward = await atTheBar({ 'asks-for-both': means(asking) });
    await scanned('asks-for-both');
    await userEvent.keyboard('{Enter}');
    const lot = screen.getByRole('textbox', { name: 'Lote' });
    await waitFor(() => expect(lot).toHaveFocus());
    await userEvent.keyboard('L4{Enter}');
    const serial = screen.getByRole('textbox', { name: 'Número de serie' });
    await waitFor(() => expect(serial).toHaveFocus());
    expect(ward.sent).toEqual([]);
    expect(screen.getByText('Lote L4')).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ lot: 'L4', acknowledged: ['serial.required'] }]));
    await scanned('asks-for-both');
    await userEvent.type(screen.getByRole('textbox', { name: 'Número de serie' }), 'S9');
    await userEvent.click(screen.getByRole('textbox', { name: 'Lote' }));
    await userEvent.keyboard('L5{Enter}');
    await waitFor(() => expect(ward.sent.at(-1)).toMatchObject({ lot: 'L5', serial: 'S9' }));
    expect(ward.sent.at(-1)?.acknowledged).toBeUndefined();
  });

  it('is no expiry that comes soon: that is pointed out', async () => {
    const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const ward = await atTheBar({ 'soon-over': means(gauze, { expiry: soon }) });
    await scanned('soon-over');
    expect(await screen.findByText(/Vence pronto/)).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ expiry: soon }]));
  });

  it('is what the server asks, too, and stays beside the list while the form is in use', async () => {
    const ward = await atTheBar({ first: means(gauze, { lot: 'L1' }) });
    ward.refuse = ({ acknowledged, product_id }) =>
      product_id === 1 && !acknowledged ? refusal('lot', 'El lote está retirado.', true) : undefined;
    await scanned('first');
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText(/El lote está retirado\./)).toBeVisible();
    expect(screen.getByText('Enter otra vez para registrarlo así.')).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{}, { acknowledged: ['x'], lot: 'L1' }]));
    expect(ward.sent[0]?.key).not.toBe(ward.sent[1]?.key);
    const release = ward.hold();
    await scanned('first');
    await scanned('102372', glove.name);
    release();
    await userEvent.click(await screen.findByRole('button', { name: 'Registrar así' }));
    await waitFor(() => expect(ward.sent.at(-1)).toMatchObject({ product_id: 1, acknowledged: ['x'] }));
  });
});
