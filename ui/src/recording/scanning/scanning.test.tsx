import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { ProductLookupView } from '@/api/generated';
import { recallDrafts, storeDrafts } from '@/outbox/drafts';
import { EMPTY_SCAN } from '@/outbox/outboxSlice';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { scan } from '@/test/keys';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { setRecordDelay } from '@/test/setRecordDelay';
import { aDetail, at, gauze, glove, largeGlove, product, quantity, refusal, serveWard } from '@/test/ward';
import { waysDone } from '../common/waysDone';

// On a busy machine, a step may take longer than the delay.
setRecordDelay(100_000_000);

const GTIN = '09520000000011';
const clean = {
  gtin: null,
  lot: null,
  expiry: null,
  serial: null,
  count: null,
  separator_lost: false,
  expiry_unreadable: false,
  incomplete: false,
  bare: false,
};

/** Build the lookup's answer for a symbol of that product. */
const means = (
  one: typeof gauze | null,
  read: Partial<NonNullable<ProductLookupView['reading']>> = {},
  match: { units?: number; label?: string } = {},
): Partial<ProductLookupView> => ({
  reading: { ...clean, gtin: one && GTIN, ...read },
  matches: one ? [{ product: one, system: 'gtin', units: 1, label: null, ...match }] : [],
});

const recalledGauze = {
  ...means(gauze, { lot: 'L1' }),
  recall: { id: 4, reason: 'contaminación', since: '2026-11-12T18:00:00Z' },
};

/** The list of unrecorded rows above the lines. */
const rows = { name: 'Sin registrar' };
const open = () => within(screen.getByRole('list', rows));
const opened = async () => within(await screen.findByRole('list', rows));

async function openMenu() {
  await userEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
  await waitFor(() =>
    expect(screen.getByRole('menu')).toContainElement(document.activeElement as HTMLElement),
  );
}

async function atTheBar(symbols: Record<string, Partial<ProductLookupView> | 'unanswered'> = {}) {
  const ward = serveWard();
  ward.symbols = symbols;
  await render({ at }, { user: aNurse() });
  await userEvent.click(await product());
  return ward;
}

describe('a scan', () => {
  it.each([
    [5, '{Enter}'],
    [36, '{Tab}'],
    [120, '{Enter}'],
  ])('at %i ms per key with %s adds a line, and empties the bar', async (every, suffix) => {
    const ward = await atTheBar({ '95200001': means(gauze), '95200002': means(glove) });
    await scan('95200001', { every, suffix });
    await screen.findByRole('list', { name: 'Sin registrar' });
    expect(await (await opened()).findByText(gauze.name)).toBeVisible();
    expect(await product()).toHaveValue('');
    expect(await product()).toHaveFocus();
    await scan('95200002', { every, suffix });
    expect(await (await opened()).findByText(glove.name)).toBeVisible();
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 1 }]));
  });

  it('records each code once and in order, without a key between', async () => {
    const ward = await atTheBar({
      '95200001': means(gauze),
      '95200002': means(glove),
      '95200003': means(largeGlove),
    });
    await scan('95200001');
    expect(await (await opened()).findByText(gauze.name)).toBeVisible();
    await scan('95200002');
    await scan('95200002');
    await scan('95200003');
    await waitFor(() => expect(ward.details).toHaveLength(2));
    expect(ward.sent.map(({ product_id, quantity }) => [product_id, quantity])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(open().getByLabelText(`Cantidad de ${nameAndCode(largeGlove)}`)).toHaveValue('1');
  });

  it('stays a draft until the device has its entry', async () => {
    const ward = await atTheBar({ '95200001': means(gauze), '95200002': means(glove) });
    const drafts = () => recallDrafts(aNurse().id, 1).rows.map(({ key }) => key);
    await scan('95200001');
    await (await opened()).findByText(gauze.name);
    const [row] = drafts();
    const storing: string[][] = [];
    const put = IDBObjectStore.prototype.put;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...given) {
      storing.push(drafts());
      return put.apply(this, given);
    });
    await scan('95200002');
    await waitFor(() => expect(ward.sent).toHaveLength(1));
    expect(row).toBeDefined();
    expect(storing[0]).toContain(row);
    expect(drafts()).toHaveLength(1);
    expect(drafts()).not.toContain(row);
  });

  it('can be changed on its row, and undone by Ctrl+Z', async () => {
    const ward = await atTheBar({ '95200001': means(gauze), '95200002': means(glove) });
    await scan('95200001');
    await userEvent.click(await (await opened()).findByRole('button', { name: 'Uno más' }));
    await userEvent.click(await product());
    await scan('95200002');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 2 }]));
    await (await opened()).findByText(glove.name);
    await userEvent.keyboard('{Control>}z{/Control}');
    expect(screen.queryByText(glove.name)).toBeNull();
    expect(ward.deleted).toEqual([]);
    expect(ward.sent).toHaveLength(1);
  });

  it('is no search, even if its Enter comes late or never', async () => {
    const ward = await atTheBar();
    let chosen = false;
    quantity().addEventListener('focus', () => {
      chosen = true;
    });
    const gtin = '9520000001858';
    ward.symbols[gtin] = means(glove);
    await scan(gtin, { suffix: '' });
    await waitFor(() => expect(open().getByText(glove.name)).toBeVisible());
    expect(open().getByLabelText(`Cantidad de ${nameAndCode(glove)}`)).toHaveValue('1');
    expect(chosen).toBe(false);
  });

  it('uses a quantity typed before it', async () => {
    const ward = await atTheBar({ '95200001': means(gauze), '95200002': means(glove) });
    await userEvent.keyboard('3×');
    await scan('95200001');
    await scan('95200002');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 3 }]));
    expect(waysDone(aNurse().id)).toEqual(['scan']);
  });

  it('leaves a quantity that was typed at the line before it', async () => {
    const ward = await atTheBar({ '95200001': means(gauze), '+A123BJC5D6E71G': means(glove) });
    await scan('95200001');
    await userEvent.clear(await (await opened()).findByLabelText(`Cantidad de ${nameAndCode(gauze)}`));
    await userEvent.keyboard('4');
    await scan('+A123BJC5D6E71G', { every: 60 });
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 4 }]));
    expect(open().getByLabelText(`Cantidad de ${nameAndCode(glove)}`)).toHaveValue('1');
  });

  it.each([
    ['in the quantity', async () => userEvent.click(quantity())],
    ['in the open menu', openMenu],
    ['on nothing', async () => (document.activeElement as HTMLElement).blur()],
    [
      'in the row that is corrected',
      async () => userEvent.click(await screen.findByRole('button', { name: 'Editar Gasa estéril · GR-1' })),
    ],
  ])('with the focus %s adds a line too', async (_, focus) => {
    const ward = serveWard({ details: [aDetail(1)] });
    ward.symbols = { '9520000001858': means(glove), '9520000003708': means(largeGlove) };
    await render({ at }, { user: aSupervisor() });
    await product();
    await focus();
    await scan('9520000001858', { every: 60 });
    await scan('9520000003708', { every: 60 });
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 2, quantity: 1 }]));
    expect(ward.details).toHaveLength(2);
  });

  it('waits while a question about the sheet is open', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    ward.symbols = { '9520000001858': means(glove), '9520000003708': means(largeGlove) };
    await render({ at }, { user: aSupervisor() });
    await product();
    await userEvent.click(await screen.findByRole('button', { name: 'Cerrar hoja' }));
    const question = await screen.findByRole('dialog');
    await scan('9520000001858', { every: 60 });
    await scan('9520000003708', { every: 60 });
    await waitFor(() => expect(ward.lookedUp).toContain('9520000003708'));
    expect(await screen.findByText('Guante de nitrilo G espera su turno.')).toBeInTheDocument();
    expect(ward.sent).toEqual([]);
    await userEvent.click(within(question).getByRole('button', { name: 'Cancelar' }));
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 2, quantity: 1 }]));
  });

  it('of a wristband opens its sheet from the open menu, too', async () => {
    const ward = serveWard();
    const sheets = [{ id: 2, admission_date: '2026-11-20', room: { id: 7, name: 'Habitación 7' } }];
    const person = { id: 3, name: 'Ana', first_surname: 'Vega', second_surname: null, date_of_birth: null };
    ward.symbols = { 'EXP-2026-0013': { people: [{ ...person, record_number: null, sheet_id: 2, sheets }] } };
    server.use(http.get('/api/consumption-sheets/2*', () => new HttpResponse(null, { status: 404 })));
    const { router } = await render({ at }, { user: aNurse() });
    await openMenu();
    await scan('EXP-2026-0013', { every: 60 });
    await waitFor(() => expect(router.state.location.pathname).toMatch('/consumption-sheet-details/2/'));
  });

  it('leaves a product with an unconfirmed quantity open', async () => {
    const ward = await atTheBar({ '9520000001858': means(glove) });
    await userEvent.keyboard('gasa{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await scan('9520000001858');
    expect(await (await opened()).findByText(gauze.name)).toBeVisible();
    await userEvent.click(open().getByRole('button', { name: 'Registrar' }));
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 1 }]));
  });

  it('is restored after a reload, and waits for a person', async () => {
    const line = {
      kind: 'line',
      key: 'k',
      isFresh: true,
      isAssumed: false,
      remark: null,
      changes: 0,
      values: {
        ...EMPTY_SCAN,
        product_id: 1,
        product: gauze,
        quantity: 2,
        staff_id: null,
        staff: null,
        area_id: null,
      },
    };
    storeDrafts(aNurse().id, 1, { rows: [line], begun: null });
    const ward = await atTheBar();
    expect(await screen.findByLabelText(`Cantidad de ${nameAndCode(gauze)}`)).toHaveValue('2');
    await userEvent.click(open().getByRole('button', { name: 'Registrar' }));
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 2 }]));
  });

  it('may be pasted', async () => {
    const ward = await atTheBar({
      '010952000000001110L1': means(gauze, { lot: 'L1' }),
      '95200002': means(glove),
    });
    await userEvent.paste('010952000000001110L1\r\n');
    await (await opened()).findByText('Lote L1');
    await scan('95200002');
    await waitFor(() => expect(ward.sent).toMatchObject([{ lot: 'L1', quantity: 1 }]));
  });

  it('waits for the server, and is looked up again', async () => {
    const ward = await atTheBar({ '95200001': 'unanswered' });
    await scan('95200001');
    expect(await (await opened()).findByText('95200001 espera la conexión.')).toBeVisible();
    ward.symbols = { '95200001': means(gauze) };
    await userEvent.click(open().getByRole('button', { name: 'Reintentar' }));
    expect(await (await opened()).findByText(gauze.name)).toBeVisible();
  });

  it('that is being looked up is not reached by the arrow', async () => {
    await atTheBar({ '95200001': means(gauze) });
    let goOn = () => {};
    server.use(
      http.get('*/api/products/lookup', async () => void (await new Promise<void>((done) => (goOn = done)))),
    );
    await scan('95200001');
    expect(await screen.findByRole('list', { name: 'Sin registrar' })).toBeVisible();
    await userEvent.keyboard('{ArrowUp}');
    expect(await product()).toHaveFocus();
    goOn();
    expect(await (await opened()).findByText(gauze.name)).toBeVisible();
    await userEvent.keyboard('{ArrowUp}');
    expect(open().getByLabelText(`Cantidad de ${nameAndCode(gauze)}`)).toHaveFocus();
  });
});

describe('questions after a scan', () => {
  it('ask which of several products it is', async () => {
    await atTheBar({
      '95200009': {
        matches: [gauze, glove].map((one) => ({ product: one, system: 'gtin', units: 1, label: null })),
      },
    });
    await scan('95200009');
    await userEvent.click(await (await opened()).findByRole('button', { name: /Guante de nitrilo M/ }));
    expect(await (await opened()).findByLabelText(`Cantidad de ${nameAndCode(glove)}`)).toHaveValue('1');
  });

  it('ask how many units of a box were used', async () => {
    await atTheBar({ '95200009': means(gauze, {}, { units: 50, label: 'caja de 50' }) });
    await scan('95200009');
    await userEvent.click(await (await opened()).findByRole('button', { name: '50' }));
    expect(open().getByLabelText(`Cantidad de ${nameAndCode(gauze)}`)).toHaveValue('50');
  });

  it('ask for a required lot, which Enter leaves out', async () => {
    const ward = await atTheBar({ '95200009': means({ ...gauze, asks_lot: true }) });
    await scan('95200009');
    const lot = await (await opened()).findByRole('textbox', { name: 'Lote' });
    await userEvent.type(lot, 'L4{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ lot: 'L4', acknowledged: [] }]));
    await scan('95200009');
    await userEvent.type(await (await opened()).findByRole('textbox', { name: 'Lote' }), '{Enter}');
    await waitFor(() => expect(ward.sent.at(-1)).toMatchObject({ acknowledged: ['lot.required'] }));
  });

  it('ask for the lot and the serial number of an implant, or why one is missing', async () => {
    const ward = await atTheBar({ '95200009': means({ ...gauze, implant: true }) });
    await scan('95200009');
    expect(await (await opened()).findByText('Falta el lote. Falta el número de serie.')).toBeVisible();
    await userEvent.type(open().getByRole('textbox', { name: 'Lote' }), 'L4{Enter}');
    await userEvent.type(
      await (await opened()).findByRole('textbox', { name: 'Número de serie' }),
      '{Enter}',
    );
    const usual = open().getByRole('button', { name: 'La etiqueta no lo trae' });
    await waitFor(() => expect(usual).toHaveFocus());
    expect(ward.sent).toEqual([]);
    await userEvent.click(usual);
    const answer = { acknowledged: ['implant.incomplete'], implant_reason: 'La etiqueta no lo trae' };
    await waitFor(() => expect(ward.sent).toMatchObject([{ lot: 'L4', ...answer }]));
  });

  it('record an implant with another reason, or once it is complete', async () => {
    const ward = await atTheBar({ '95200009': means({ ...gauze, implant: true }) });
    await scan('95200009');
    await userEvent.click(await (await opened()).findByRole('button', { name: 'Otro motivo…' }));
    const dialog = within(await screen.findByRole('dialog', { name: '¿Por qué falta?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Registrar de todos modos' }));
    expect(dialog.getByText('Este dato es obligatorio.')).toBeVisible();
    await userEvent.type(dialog.getByRole('textbox', { name: 'Motivo' }), 'Se perdió');
    await userEvent.click(dialog.getByRole('button', { name: 'Registrar de todos modos' }));
    await waitFor(() => expect(ward.sent).toMatchObject([{ implant_reason: 'Se perdió' }]));
    await scan('95200009');
    await userEvent.type(await (await opened()).findByRole('textbox', { name: 'Lote' }), 'L4{Enter}');
    await userEvent.type(
      await (await opened()).findByRole('textbox', { name: 'Número de serie' }),
      'S4{Enter}',
    );
    await waitFor(() =>
      expect(ward.sent.at(-1)).toMatchObject({ lot: 'L4', serial: 'S4', acknowledged: [] }),
    );
  });

  it('ask about an implant that only the server knows', async () => {
    const ward = await atTheBar({ '95200009': means(gauze), '95200002': means(glove) });
    ward.refuse = ({ product_id, implant_reason }) =>
      product_id === 2 || implant_reason
        ? undefined
        : refusal('lot', 'Es un implante.', true, 'implant.incomplete');
    await scan('95200009');
    await scan('95200002');
    expect(await (await opened()).findByText('Es un implante.')).toBeVisible();
    expect(open().queryByRole('button', { name: 'Registrar de todos modos' })).toBeNull();
    await userEvent.click(open().getByRole('button', { name: 'La etiqueta no lo trae' }));
    await waitFor(() =>
      expect(ward.sent.at(-1)).toMatchObject({
        implant_reason: 'La etiqueta no lo trae',
        acknowledged: ['implant.incomplete'],
      }),
    );
  });

  it('stop at a recalled lot until it has a reason', async () => {
    const ward = await atTheBar({ '95200009': recalledGauze });
    await scan('95200009');
    expect(await (await opened()).findByText('Lote L1 retirado el 12 nov 2026: contaminación')).toBeVisible();
    await userEvent.click(open().getByRole('button', { name: 'Registrar de todos modos' }));
    const dialog = within(await screen.findByRole('dialog', { name: '¿Registrar aunque está retirado?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Registrar de todos modos' }));
    expect(dialog.getByText('Este dato es obligatorio.')).toBeVisible();
    expect(ward.sent).toEqual([]);
    await userEvent.type(dialog.getByRole('textbox', { name: 'Motivo' }), ' era el último ');
    await userEvent.click(dialog.getByRole('button', { name: 'Registrar de todos modos' }));
    const sent = { lot: 'L1', acknowledged: ['lot.recalled'], recall_reason: 'era el último' };
    await waitFor(() => expect(ward.sent).toMatchObject([sent]));
  });

  it('set recalled units aside, also after a lost connection', async () => {
    const aside: unknown[] = [];
    let isLost = true;
    server.use(
      http.post('/api/recalls/4/set-aside', async ({ request }) => {
        aside.push([request.headers.get('Idempotency-Key'), await request.json()]);
        return isLost ? HttpResponse.error() : HttpResponse.json({ id: 1 }, { status: 201 });
      }),
    );
    const ward = await atTheBar({ '95200009': recalledGauze });
    await scan('95200009');
    await userEvent.click(await (await opened()).findByRole('button', { name: 'Apartar' }));
    const waiting = `Por apartar: 1 ${gauze.name}. Se enviará al volver la conexión.`;
    expect(await (await opened()).findByText(waiting)).toBeVisible();
    isLost = false;
    await userEvent.click(open().getByRole('button', { name: 'Reintentar' }));
    expect(await screen.findByText(`Apartado, sin registrar: 1 ${gauze.name}`)).toBeVisible();
    expect(screen.queryByRole('list', { name: 'Sin registrar' })).toBeNull();
    expect(aside).toHaveLength(2);
    expect(aside[0]).toEqual(aside[1]);
    expect(aside[0]).toMatchObject([
      expect.any(String),
      { quantity: 1, lot: 'L1', room_id: ward.sheet.room_id },
    ]);
    expect(ward.sent).toEqual([]);
  });

  it('stop a recalled product that the server refuses', async () => {
    const ward = await atTheBar({ '95200009': means(gauze), '95200002': means(glove) });
    ward.refuse = ({ product_id, recall_reason }) =>
      product_id === 2 || recall_reason ? undefined : refusal('lot', 'Retirado.', true, 'lot.recalled', 4);
    await scan('95200009');
    await scan('95200002');
    expect(await (await opened()).findByText('Retirado.')).toBeVisible();
    await userEvent.click(open().getByRole('button', { name: 'Registrar de todos modos' }));
    const dialog = within(await screen.findByRole('dialog', { name: '¿Registrar aunque está retirado?' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Motivo' }), 'era el último');
    await userEvent.click(dialog.getByRole('button', { name: 'Registrar de todos modos' }));
    await waitFor(() =>
      expect(ward.sent.at(-1)).toMatchObject({
        recall_reason: 'era el último',
        acknowledged: ['lot.recalled'],
      }),
    );
  });

  it('show what the server asks', async () => {
    const ward = await atTheBar({ '95200009': means(gauze), '95200002': means(glove) });
    ward.refuse = ({ product_id, acknowledged }) =>
      product_id === 1 && acknowledged?.length === 0
        ? refusal('lot', 'Está retirado.', true, 'x')
        : undefined;
    await scan('95200009');
    await scan('95200002');
    expect(await (await opened()).findByText('Está retirado.')).toBeVisible();
    await userEvent.click(open().getByRole('button', { name: 'Registrar de todos modos' }));
    await waitFor(() => expect(ward.sent.at(-1)).toMatchObject({ product_id: 1, acknowledged: ['x'] }));
  });

  it('let a supervisor assign the product of an unknown code', async () => {
    server.use(http.get('/api/products/:id/codes', () => HttpResponse.json({ items: [] })));
    const ward = serveWard();
    ward.symbols = {
      '95200009': { noted: { id: 1, code: '95200009', system: 'supplier' } as ProductLookupView['noted'] },
    };
    await render({ at }, { user: aSupervisor() });
    await userEvent.click(await product());
    await scan('95200009');
    expect(await (await opened()).findByText(/Código desconocido: 95200009/)).toBeVisible();
    await userEvent.click(open().getByRole('button', { name: 'Quitar' }));
    expect(screen.queryByRole('list', { name: 'Sin registrar' })).toBeNull();
  });
});

it('asks about a short code in the quantity before recording', async () => {
  const ward = await atTheBar();
  ward.symbols = { '650': means(glove) };
  server.use(http.get('/api/products/usual', () => HttpResponse.json({ items: [] })));
  await userEvent.keyboard('gasa{Enter}');
  await waitFor(() => expect(quantity()).toHaveFocus());
  await scan('650', { every: 60 });
  const dialog = await screen.findByRole('dialog', { name: '¿Qué es 650?' });
  expect(ward.sent).toEqual([]);
  await userEvent.click(await within(dialog).findByRole('button', { name: `El producto ${glove.name}` }));
  expect(await (await opened()).findByText(glove.name)).toBeVisible();
  expect(open().getByText(gauze.name)).toBeVisible();
  expect(ward.sent).toEqual([]);
});

describe("one of Consumo's labels", () => {
  const kitLabel = (state: string, kit_id: number | null) => ({
    reading: null,
    matches: [],
    label: { kind: 'kit', state, kit_id },
  });

  it("opens the kit's lines on the open sheet with one scan", async () => {
    const { category: _, ...kept } = gauze;
    const kit = {
      ...{ id: 4, name: 'Vía periférica', area_id: null, area: null, own: false, user_id: null, version: 1 },
      lines: [{ product_id: gauze.id, quantity: 2, optional: false, product: kept }],
    };
    await atTheBar({ CNSK123456198: kitLabel('found', 4) });
    server.use(http.get('/api/kits/4', () => HttpResponse.json(kit)));
    await scan('CNSK123456198');
    expect(await screen.findByRole('dialog', { name: /Vía periférica/ })).toBeVisible();
  });

  it.each([
    ['missing', 'Ese kit ya no existe.'],
    ['foreign', 'La etiqueta es de otro hospital.'],
  ])('that is %s says so', async (state, text) => {
    const ward = await atTheBar({ CNSK123456198: kitLabel(state, null) });
    await scan('CNSK123456198');
    expect(await (await opened()).findByText(text)).toBeVisible();
    expect(ward.sent).toEqual([]);
  });
});
