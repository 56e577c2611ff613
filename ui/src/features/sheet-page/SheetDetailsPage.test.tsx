import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DetailView, UnlistedItemView } from '@/api/generated';
import { COST } from '@/test/canaries';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { setRecordDelay } from '@/test/setRecordDelay';
import { aPage, aSheet } from '@/test/sheets';
import {
  aDetail,
  at,
  category,
  gauze,
  glove,
  largeGlove,
  outdated,
  product,
  quantity,
  record,
  refusal,
  rows,
  serveWard,
  whereMatches,
} from '@/test/ward';

setRecordDelay(20);

describe('recording with the keyboard', () => {
  it('focuses quantity and product in turn, and shows the total', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '2');
    expect(await product()).toHaveFocus();
    expect(await product()).toHaveValue('');
    await waitFor(() => expect(quantity()).toHaveValue('0'));
    await record('nitrilo m', '0,5');
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

  it('offers several matches, which the arrow keys choose', async () => {
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

  it('searches after typing has paused for 700 ms', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), 'gua');
    await delay(400);
    expect(ward.searched).not.toContain('gua');
    await waitFor(() => expect(ward.searched).toContain('gua'), { timeout: 5_000 });
  });

  it('records one by default on Enter, or the typed quantity', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '');
    await record('gr-2', '2');
    await waitFor(() =>
      expect(ward.sent).toMatchObject([
        { product_id: 1, quantity: 1 },
        { product_id: 2, quantity: 2 },
      ]),
    );
    await userEvent.type(await product(), 'gasa{Enter}');
    await waitFor(() => expect(quantity()).toHaveValue('1'));
    await userEvent.clear(await product());
    await waitFor(() => expect(quantity()).toHaveValue('0'));
  });

  it('records a quantity of 0 only after a second Enter', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '0');
    expect(quantity()).toHaveAccessibleDescription(
      'La cantidad es 0. Enter otra vez para registrarla de todos modos.',
    );
    expect(ward.sent).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ quantity: 0 }]));
  });

  it.each([
    ['12345', 'El máximo es 9.999,999.'],
    ['0,1234', 'Como máximo, 3 decimales.'],
    ['{Backspace}', 'Este dato es obligatorio.'],
  ])('rejects %s as a quantity', async (typed, message) => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', typed);
    expect(quantity()).toHaveAccessibleDescription(message);
    expect(ward.sent).toEqual([]);
  });

  it('requires a product and focuses its field', async () => {
    serveWard();
    await render({ at }, { user: aSupervisor() });
    await product();
    await userEvent.type(quantity(), '2{Enter}');
    expect(await product()).toHaveAccessibleDescription('Elija un producto.');
    await waitFor(async () => expect(await product()).toHaveFocus());
  });

  it('keeps staff and area for the next line', async () => {
    const ward = serveWard();
    const areas = [
      { id: 2, name: 'Medicina Interna' },
      { id: 4, name: 'Quirófano' },
      { id: 5, name: 'Urgencias' },
    ];
    server.use(
      http.get('/api/areas', ({ request }) => {
        const q = new URL(request.url).searchParams.get('q') ?? '';
        return HttpResponse.json(aPage(areas.filter(({ name }) => name.toLowerCase().startsWith(q))));
      }),
      http.get('/api/staff', () =>
        HttpResponse.json(
          aPage([{ id: 9, name: 'Verónica', first_surname: 'Aguilar', second_surname: null }]),
        ),
      ),
    );
    const { permissions } = aSupervisor();
    const user = aSupervisor({ permissions: [...permissions, 'details.record_for_any_staff'] });
    await render({ at }, { user });
    // The room's own area is the default.
    await userEvent.click(await screen.findByRole('button', { name: 'en Medicina Interna' }));
    const area = screen.getByRole('combobox', { name: 'Área' });
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent?.trim())).toEqual([
      'Seleccione una opción...',
      'Medicina Interna',
      'Quirófano',
      'Urgencias',
    ]);
    await userEvent.keyboard('dermatología{Enter}');
    expect(await screen.findAllByText('No se encontraron áreas...')).not.toEqual([]);
    await userEvent.clear(area);
    await userEvent.keyboard('urg{Enter}');
    expect(await screen.findByRole('button', { name: 'en Urgencias' })).toBeVisible();
    expect(await product()).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'como Lucía Paredes' }));
    await userEvent.keyboard('vero{Enter}');
    expect(await screen.findByRole('button', { name: 'como Verónica Aguilar' })).toBeVisible();
    expect(await product()).toHaveFocus();
    await record('gasa', '1');
    await record('gasa', '2');
    await waitFor(() => expect(ward.sent).toHaveLength(2));
    expect(ward.sent[1]).toMatchObject({ staff_id: 9, area_id: 5 });
    cleanup();
    await render({ at }, { user });
    expect(await screen.findByRole('button', { name: 'en Urgencias' })).toBeVisible();
    cleanup();
    await render({ at }, { user: aNurse() });
    expect(await screen.findByRole('button', { name: 'en Medicina Interna' })).toBeVisible();
  });

  it('keeps staff and area if nothing is chosen', async () => {
    const ward = serveWard();
    const areas = [
      { id: 2, name: 'Medicina Interna' },
      { id: 5, name: 'Urgencias' },
    ];
    server.use(http.get('/api/areas', () => HttpResponse.json(aPage(areas))));
    await render({ at }, { user: aSupervisor() });
    await userEvent.click(await screen.findByRole('button', { name: 'en Medicina Interna' }));
    await userEvent.keyboard('urg');
    await userEvent.click(await product());
    expect(screen.queryByRole('combobox', { name: 'Área' })).toBeNull();
    await record('gasa', '1');
    await waitFor(() => expect(ward.sent).toMatchObject([{ area_id: 2 }]));
  });
});

describe('a quantity in the search text', () => {
  const offered = async () => (await screen.findAllByRole('option')).map(({ textContent }) => textContent);

  it('is taken with the product and recorded by the second Enter', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), '3 guante{Enter}');
    expect(await offered()).toEqual([
      '3 × Guante de nitrilo M GR-2 · par · $0,18',
      '3 × Guante de nitrilo G GR-3 · par · $0,18',
    ]);
    await userEvent.keyboard('{Enter}');
    expect(await product()).toHaveValue('Guante de nitrilo M');
    expect(quantity()).toHaveFocus();
    await waitFor(() => expect(quantity()).toHaveValue('3'));
    expect(ward.sent).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 2, quantity: 3 }]));
  });

  it('is asked about if the separator is ambiguous', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), '1.500 x gasa{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    expect(ward.sent).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: '1,5' }));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ quantity: 1.5 }]));
  });

  it('is left empty if the product has another unit', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), '2 cajas gasa{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await waitFor(() => expect(quantity()).toHaveValue(''));
    expect(quantity()).toHaveAccessibleDescription('Se cuenta por par: escriba la cantidad.');
    await userEvent.keyboard('{Enter}');
    expect(ward.sent).toEqual([]);
  });

  it('does not apply to another product', async () => {
    serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), 'gasa x3{Enter}');
    await waitFor(() => expect(quantity()).toHaveValue('3'));
    await userEvent.clear(await product());
    await userEvent.type(await product(), 'gr-2{Enter}');
    await waitFor(async () => expect(await product()).toHaveValue('Guante de nitrilo M'));
    await waitFor(() => expect(quantity()).toHaveValue('1'));
  });
});

describe('a quantity far above the usual', () => {
  it('stays above the list until a person answers the question', async () => {
    const ward = serveWard();
    ward.refuse = ({ quantity, acknowledged }) =>
      quantity > 20 && !acknowledged?.includes('quantity.far_out')
        ? refusal('quantity', 'Es 21; lo habitual es 2. ¿Es correcto?', true, 'quantity.far_out')
        : undefined;
    await render({ at }, { user: aNurse() });
    await record('gasa', '21');
    expect(await (await open()).findByText('21 × Gasa estéril')).toBeVisible();
    expect((await open()).getByText('Es 21; lo habitual es 2. ¿Es correcto?')).toBeVisible();
    expect(await product()).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}');
    expect((await open()).getByRole('button', { name: 'Registrar de todos modos' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() =>
      expect(ward.sent).toMatchObject([
        { quantity: 21, acknowledged: [] },
        { quantity: 21, acknowledged: ['quantity.far_out'] },
      ]),
    );
    await waitFor(() => expect(screen.queryByText('21 × Gasa estéril')).toBeNull());
  });
});

/** The list of unrecorded rows above the lines. */
const open = async () => within(await screen.findByRole('list', { name: 'Sin registrar' }));

describe('the outbox of the page', () => {
  it('accepts lines while others are pending, and keeps the order', async () => {
    const ward = serveWard();
    const release = ward.hold();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    await record('gasa', '2');
    await record('gasa', '3');
    await waitFor(() => expect(screen.getAllByText('Registrando...')).toHaveLength(3));
    expect(ward.sent).toHaveLength(1);
    release();
    await waitFor(() => expect(ward.details).toHaveLength(3));
    expect(ward.sent.map((one) => one.quantity)).toEqual([1, 2, 3]);
    await waitFor(() => expect(screen.queryByText('Registrando...')).toBeNull());
    expect(rows().map((row) => row?.match(/estéril(\d)/)?.[1])).toEqual(['3', '2', '1']);
  });

  it('keeps a refused line above the list for correction', async () => {
    const ward = serveWard();
    ward.refuse = ({ quantity }) => (quantity === 4 ? refusal('quantity', 'Hasta 0 decimales.') : undefined);
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '4');
    expect(await (await open()).findByText('4 × Gasa estéril')).toBeVisible();
    expect((await open()).getByText('Hasta 0 decimales.')).toBeVisible();
    await userEvent.click((await open()).getByRole('button', { name: 'Corregir' }));
    await userEvent.type((await open()).getByLabelText('Cantidad de Gasa estéril'), '5{Enter}', {
      initialSelectionStart: 0,
      initialSelectionEnd: 9,
    });
    await waitFor(() => expect(ward.sent.at(-1)).toMatchObject({ quantity: 5 }));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Sin registrar' })).toBeNull());
  });

  it('keeps a line refused for the sheet, and records the next', async () => {
    const ward = serveWard();
    const release = ward.hold();
    ward.refuse = ({ quantity }) =>
      quantity === 4 ? refusal('admission_date', 'El consumo es anterior al ingreso.') : undefined;
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '4');
    await record('gasa', '5');
    release();
    expect(await screen.findByText('4 × Gasa estéril')).toBeVisible();
    expect(screen.getAllByText('El consumo es anterior al ingreso.')[0]).toBeVisible();
    expect(await product()).toHaveValue('');
    await waitFor(() => expect(ward.details).toMatchObject([{ quantity: 5 }]));
    expect(screen.getByRole('button', { name: 'Cerrar hoja' })).toBeDisabled();
  });

  it('retries with the same keys before the sheet is closed', async () => {
    const ward = serveWard();
    ward.refuse = () => HttpResponse.error();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    expect(await screen.findByText('+ 1 sin enviar')).toBeVisible();
    await record('gasa', '2');
    expect(await screen.findByText('+ 2 sin enviar')).toBeVisible();
    await waitFor(() => expect(screen.getAllByText('En espera')).toHaveLength(2));
    await userEvent.click(screen.getByRole('button', { name: 'Enviar y cerrar hoja' }));
    expect(await screen.findByText(/^Quedan 2 líneas sin enviar en este equipo/)).toBeVisible();
    ward.refuse = undefined;
    await userEvent.click(screen.getByRole('button', { name: 'Enviar y cerrar hoja' }));
    expect(await screen.findByRole('dialog', { name: 'Finalizar hoja de consumo?' })).toBeVisible();
    expect(ward.details).toHaveLength(2);
    expect(new Set(ward.sent.map(({ key, quantity }) => `${key} ${quantity}`)).size).toBe(2);
    expect(ward.sent.slice(-2).map((one) => one.quantity)).toEqual([1, 2]);
  });

  it('submits late entries after another user closed the sheet', async () => {
    const ward = serveWard();
    const late: unknown[] = [];
    server.use(
      http.post('/api/consumption-sheets/1/late-entries', async ({ request }) => {
        late.push({ key: request.headers.get('Idempotency-Key'), ...((await request.json()) as object) });
        return HttpResponse.json({ id: 1 }, { status: 201 });
      }),
    );
    ward.refuse = () => {
      ward.sheet = aSheet({ closed: true, deleted_at: '2026-11-20T15:00:00Z' });
      return refusal(null, 'La hoja de consumo está cerrada.', undefined, 'sheet.closed');
    };
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '6');
    expect(await screen.findByText('Otra persona cerró esta hoja')).toBeVisible();
    expect(
      await screen.findByRole('row', { name: /Gasa estéril.*6.*Llegó tarde; en espera de un supervisor/ }),
    ).toBeVisible();
    expect(screen.queryByRole('combobox', { name: 'Producto' })).toBeNull();
    expect(late).toMatchObject([{ key: ward.sent[0]?.key, items: [{ product_id: 1, quantity: 6 }] }]);
    expect(late[0]).toHaveProperty('occurred_at');
  });
});

describe('the usual products', () => {
  /** Open the list under the empty field. */
  async function areThere() {
    await userEvent.click(await product());
    await screen.findAllByRole('option');
    await userEvent.keyboard('{Escape}');
  }

  it('are chosen by number and Enter, and keep their numbers', async () => {
    const ward = serveWard();
    ward.usual = [gauze, glove, largeGlove];
    await render({ at }, { user: aSupervisor() });
    // At the pace of a person; a scanner sends Enter at once.
    await userEvent.type(await product(), '2{Enter}', { delay: 60 });
    expect(await product()).toHaveValue('Guante de nitrilo M');
    expect(quantity()).toHaveFocus();
    await userEvent.keyboard('4{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 2, quantity: 4 }]));
    await waitFor(() => expect(rows()).toHaveLength(1));
    ward.usual = [glove];
    await userEvent.keyboard('3{Enter}');
    expect(await product()).toHaveValue('Guante de nitrilo G');
    expect(ward.searched).toEqual([]);
  });

  it('are chosen with an arrow key and Enter', async () => {
    serveWard().usual = [gauze, glove];
    await render({ at }, { user: aSupervisor() });
    await areThere();
    await userEvent.click(quantity());
    await userEvent.tab({ shift: true });
    await userEvent.keyboard('{ArrowDown}');
    expect(screen.getAllByRole('option')).toHaveLength(2);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(await product()).toHaveValue('Guante de nitrilo M');
    expect(quantity()).toHaveFocus();
  });

  it('are not chosen by Enter alone or by a text after the number', async () => {
    const ward = serveWard();
    ward.usual = [gauze, glove];
    await render({ at }, { user: aSupervisor() });
    await areThere();
    await userEvent.type(await product(), '{Enter}{Enter}');
    expect(await product()).toHaveValue('');
    await userEvent.keyboard('2 ml{Enter}');
    await waitFor(() => expect(ward.searched).toContain('2 ml'));
    expect(await product()).toHaveValue('2 ml');
  });

  it('are chosen by a tap under the empty field', async () => {
    serveWard({ seesPrices: false }).usual = [gauze, glove];
    await render({ at }, { user: aNurse() });
    await areThere();
    await userEvent.click(await product());
    await userEvent.click(screen.getByRole('option', { name: /Guante de nitrilo M/ }));
    expect(quantity()).toHaveFocus();
    expect(await product()).toHaveValue('Guante de nitrilo M');
  });

  it('are one tab stop beside the lines of a wide screen', async () => {
    serveWard({ seesPrices: false }).usual = [gauze, glove];
    whereMatches('100em');
    await render({ at }, { user: aNurse() });
    await userEvent.click(await screen.findByRole('button', { name: 'Guante de nitrilo M' }));
    expect(quantity()).toHaveFocus();
    expect(await product()).toHaveValue('Guante de nitrilo M');
    screen.getByRole('button', { name: 'Gasa estéril' }).focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(screen.getByRole('button', { name: 'Guante de nitrilo M' })).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}{Enter}');
    expect(await product()).toHaveValue('Gasa estéril');
  });

  it('are pinned by their star in the list or in the bar', async () => {
    whereMatches('min-width: 100em');
    const ward = serveWard();
    ward.usual = [glove, gauze];
    ward.pinned = [glove.id];
    await render({ at }, { user: aNurse() });
    const star = (one: typeof gauze) => screen.findByRole('button', { name: `Fijar: ${one.name}` });
    expect(await star(glove)).toHaveAttribute('aria-pressed', 'true');
    expect(await star(gauze)).toHaveAttribute('aria-pressed', 'false');
    await userEvent.click(await star(gauze));
    await waitFor(async () => expect(await star(gauze)).toHaveAttribute('aria-pressed', 'true'));
    // The order does not change while the page is open.
    expect(screen.getAllByRole('button', { name: /^(Guante|Gasa)/ })[0]).toHaveAccessibleName(glove.name);
    await userEvent.click(await star(glove));
    await waitFor(() => expect(ward.pinned).toEqual([gauze.id]));
    await userEvent.type(await product(), 'gr-3{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await userEvent.click(await star(largeGlove));
    await waitFor(() => expect(ward.pinned).toEqual([gauze.id, largeGlove.id]));
  });

  it('may be missing without harm', async () => {
    serveWard();
    server.use(http.get('/api/consumption-sheets/1/usual-products', () => HttpResponse.error()));
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    await waitFor(() => expect(rows()).toHaveLength(1));
  });
});

describe('undoing the last record', () => {
  const undoButton = () => within(screen.getByRole('table')).findByRole('button', { name: /^Deshacer/ });

  it('deletes it without a question and leaves the bar empty', async () => {
    const ward = serveWard({ seesPrices: false, details: [aDetail(1)] });
    await render({ at }, { user: aNurse() });
    await record('guante de nitrilo m', '2,5');
    await waitFor(() => expect(rows()).toHaveLength(2));
    await userEvent.click(await undoButton());
    expect(await screen.findByText('Línea deshecha')).toBeVisible();
    expect(screen.getByText('Deshecho: 2,5 × Guante de nitrilo M')).toBeInTheDocument();
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(ward.deleted).toEqual(['101 "1"']);
    expect(await product()).toHaveValue('');
    expect(within(screen.getByRole('table')).queryByRole('button', { name: /^Deshacer/ })).toBeNull();
  });

  it('undoes the latest on Ctrl+Z, but not while typing a text', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    await record('nitrilo m', '2');
    await waitFor(() => expect(rows()).toHaveLength(2));
    await userEvent.keyboard('ven{Control>}z{/Control}');
    await userEvent.clear(await product());
    expect(ward.deleted).toEqual([]);
    await userEvent.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(ward.deleted).toEqual(['101 "1"']));
    await waitFor(() => expect(rows()).toHaveLength(1));
    await userEvent.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(ward.deleted).toEqual(['101 "1"', '100 "1"']));
    expect(await product()).toHaveValue('');
  });

  it('reports that another user changed the line first', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    await waitFor(() => expect(rows()).toHaveLength(1));
    server.use(http.delete('/api/consumption-details/100', outdated));
    await userEvent.click(await undoButton());
    expect(await screen.findByText(/Otra persona cambió esta línea/)).toBeVisible();
    expect(ward.details).toHaveLength(1);
    expect(await product()).toHaveValue('');
    expect(within(screen.getByRole('table')).queryByRole('button', { name: /^Deshacer/ })).toBeNull();
  });

  it('removes an unsent entry from the outbox', async () => {
    const ward = serveWard();
    ward.refuse = () => HttpResponse.error();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    expect(await screen.findByText('+ 1 sin enviar')).toBeVisible();
    await record('nitrilo m', '2');
    await screen.findByText('+ 2 sin enviar');
    await userEvent.keyboard('{Control>}z{/Control}');
    await screen.findByText('+ 1 sin enviar');
    // The first entry may have reached the server, so it is not removed.
    await userEvent.keyboard('{Control>}z{/Control}');
    expect(screen.getByText('+ 1 sin enviar')).toBeVisible();
    expect(ward.deleted).toEqual([]);
  });
});

describe('a possible duplicate', () => {
  const text = '¿Repetido? Ana registró 2 de lo mismo hace 3 min.';
  const warned = () => {
    const ward = serveWard();
    ward.warn = ({ product_id }) =>
      product_id === 1 ? [{ code: 'detail.repeated', message: text }] : undefined;
    return ward;
  };

  it('warns under the line, once per product after confirmation', async () => {
    warned();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '2');
    expect(await screen.findByRole('button', { name: 'Es correcto' })).toBeVisible();
    expect(screen.getAllByText(text, { exact: false })).toHaveLength(2);
    expect(screen.getByText(`Registrado: 2 × Gasa estéril ${text}`)).toHaveAttribute('role', 'status');
    // The warning does not block recording.
    await record('gr-2', '1');
    await userEvent.click(screen.getByRole('button', { name: 'Es correcto' }));
    expect(screen.queryByText(text, { exact: false })).toBeNull();
    expect(await product()).toHaveFocus();
    await record('gasa', '4');
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(screen.queryByText(text, { exact: false })).toBeNull();
  });

  it('is voided by its own button, even after later lines', async () => {
    const ward = warned();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '2');
    await record('gr-2', '1');
    await waitFor(() => expect(ward.details).toHaveLength(2));
    await userEvent.click(await screen.findByRole('button', { name: 'Deshacer' }));
    await waitFor(() => expect(ward.details).toMatchObject([{ product_id: 2 }]));
    expect(screen.queryByText(text, { exact: false })).toBeNull();
    expect(await product()).toHaveValue('');
  });
});

describe('changes by another user', () => {
  /** Poll at once, as when the page becomes visible. */
  const look = () => document.dispatchEvent(new Event('visibilitychange'));
  const theirs = (id: number, change: Partial<DetailView> = {}) =>
    aDetail(id, {
      user_id: 99,
      staff: { id: 8, name: 'María', first_surname: 'Quispe', second_surname: null },
      created_at: '2026-11-20T13:00:00Z',
      ...change,
    });
  const change = (ward: ReturnType<typeof serveWard>, details: DetailView[]) => {
    ward.details = details;
    ward.sheet = { ...ward.sheet, version: ward.sheet.version + 1 };
  };

  it('are reported and highlighted when recorded', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(screen.queryByText('Nuevo')).toBeNull();
    change(ward, [theirs(2), ...ward.details]);
    look();
    expect(await screen.findByText('María Quispe registró 2 × Gasa estéril')).toBeVisible();
    expect(rows()[0]).toContain('Nuevo');
    expect(rows()[1]).not.toContain('Nuevo');
    await userEvent.click(screen.getByRole('button', { name: 'Cerrar aviso' }));
    expect(screen.queryByText('María Quispe registró 2 × Gasa estéril')).toBeNull();
    expect(rows()[0]).toContain('Nuevo');
  });

  it('are reported when corrected or deleted, the rest counted', async () => {
    const ward = serveWard({ details: [aDetail(3), aDetail(2), aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(rows()).toHaveLength(3));
    change(ward, [theirs(5), aDetail(3, { version: 2, quantity: 7 }), aDetail(1)]);
    look();
    expect(await screen.findByText('Otra persona corrigió Gasa estéril')).toBeVisible();
    expect(screen.getByText('Otra persona borró 2 × Gasa estéril')).toBeVisible();
    expect(screen.getByText('1 cambio más de otras personas')).toBeVisible();
    expect(rows()[1]).toContain('Corregido');
  });

  it('exclude changes made here and older lines loaded later', async () => {
    const details = Array.from({ length: 8 }, (_, place) =>
      aDetail(20 - place, { created_at: `2026-11-19T10:00:0${9 - place}Z` }),
    );
    const ward = serveWard({ details });
    ward.atATime = 5;
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    await waitFor(() => expect(rows()[0]).toContain('Gasa estéril1'));
    look();
    await userEvent.click(screen.getByRole('button', { name: /^Mostrar/ }));
    await waitFor(() => expect(rows()).toHaveLength(9));
    await userEvent.click(
      await within(screen.getByRole('table')).findByRole('button', { name: /^Deshacer/ }),
    );
    await waitFor(() => expect(rows()).toHaveLength(8));
    expect(ward.deleted).toHaveLength(1);
    expect(screen.queryByText(/registró|borró|corrigió|Nuevo/)).toBeNull();
  });

  it('cost only a version request, and none while hidden', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(rows()).toHaveLength(1));
    const { read } = ward;
    look();
    await waitFor(() => expect(ward.looked).toBe(1));
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    look();
    await delay(50);
    expect([ward.looked, ward.read]).toEqual([1, read]);
  });

  it('keep the draft when the sheet is closed', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), 'gr-2{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await userEvent.keyboard('4');
    ward.sheet = aSheet({ version: 2, closed: true, deleted_at: '2026-11-20T15:00:00Z' });
    look();
    expect(await screen.findByText('Otra persona cerró esta hoja')).toBeVisible();
    expect((await open()).getByLabelText('Cantidad de Guante de nitrilo M')).toHaveValue('4');
    // If recorded now, it becomes a late entry for the supervisor.
    expect((await open()).getByRole('button', { name: 'Registrar' })).toBeVisible();
  });

  it('leave the lines visible when the sheet is deleted', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(rows()).toHaveLength(1));
    ward.sheetIsGone = true;
    look();
    expect(await screen.findByText('Otra persona eliminó esta hoja')).toBeVisible();
    expect(rows()[0]).toContain('Gasa estéril');
    expect(screen.queryByRole('button', { name: /Registrar|Cerrar hoja|Editar|Borrar/ })).toBeNull();
  });
});

describe('unrecorded entries', () => {
  it('are sent after signing in again, and recorded once', async () => {
    const ward = serveWard();
    server.use(http.get('/api/settings', () => HttpResponse.json({ currency: 'USD', time_zone: 'UTC' })));
    await render({ at }, { user: aSupervisor() });
    ward.refuse = () => HttpResponse.json({ message: 'Inicie sesión.' }, { status: 401 });
    await record('gasa', '6');
    expect(await screen.findByText(/Su sesión terminó/)).toBeVisible();
    expect(JSON.stringify(sessionStorage)).not.toMatch(COST);
    expect(JSON.stringify(sessionStorage)).not.toContain('Quispe');
    cleanup();

    ward.refuse = undefined;
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(ward.details).toHaveLength(1));
    expect(ward.sent[1]?.key).toBe(ward.sent[0]?.key);
    expect(screen.queryByRole('list', { name: 'Sin registrar' })).toBeNull();
    cleanup();

    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(screen.queryByRole('list', { name: 'Sin registrar' })).toBeNull();
  });

  it('are restored after a reload, for the same user only', async () => {
    serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), 'gasa{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await userEvent.keyboard('7');
    cleanup();
    await render({ at }, { user: aNurse() });
    expect(await product()).toHaveValue('');
    cleanup();
    await render({ at }, { user: aSupervisor() });
    expect(await product()).toHaveValue('Gasa estéril');
    await waitFor(() => expect(quantity()).toHaveValue('7'));
  });

  it.each([
    ['a half-filled form', async () => userEvent.type(await product(), 'gasa{Enter}')],
    [
      'a line that is being corrected',
      async () => {
        await userEvent.click(await screen.findByRole('button', { name: 'Editar Gasa estéril' }));
        await screen.findByRole('row', { name: 'Editar detalle de consumo' });
        await userEvent.keyboard('9');
      },
    ],
  ])('are asked about before %s is left, then discarded', async (_, begin) => {
    serveWard({ details: [aDetail(1)] });
    server.use(http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))));
    const { router } = await render({ at }, { user: aSupervisor() });
    await begin();
    await waitFor(() => expect(document.activeElement).toHaveAccessibleName('Cantidad'));
    await userEvent.click(screen.getByRole('link', { name: 'Volver a las hojas de consumo' }));
    const dialog = await screen.findByRole('dialog', { name: '¿Salir sin registrar las líneas pendientes?' });
    expect(router.state.location.pathname).toBe(at);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Salir sin registrar' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/consumption-sheets'));
    expect(sessionStorage).toHaveLength(0);
  });
});

describe('what each role sees', () => {
  it('shows ward staff no price, and delete only on own lines', async () => {
    serveWard({ seesPrices: false, details: [aDetail(1, { user_id: 3 }), aDetail(2)] });
    await render({ at }, { user: aNurse() });
    expect(await screen.findAllByRole('button', { name: 'Borrar Gasa estéril' })).toHaveLength(1);
    // They may correct their own quantity: that voids the line and records it again.
    expect(screen.getAllByRole('button', { name: 'Editar Gasa estéril' })).toHaveLength(1);
    expect(screen.queryByRole('columnheader', { name: 'Precio' })).toBeNull();
    expect(screen.queryByRole('combobox', { name: 'Personal' })).toBeNull();
    await record('gasa', '3');
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(document.body.textContent).not.toMatch(/\$|Total|GR\b(?!-)/);
  });

  it('shows the closed state of a closed sheet', async () => {
    serveWard({ sheet: { closed: true, deleted_at: '2026-11-20T15:00:00Z' }, details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    expect(await screen.findByText(/Se cerró el 20 nov 2026, 15:00/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /Registrar|Cerrar hoja|Editar|Borrar/ })).toBeNull();
  });

  it('shows an empty state without lines', async () => {
    serveWard();
    await render({ at }, { user: aNurse(), language: 'en' });
    expect(await screen.findByText('No lines yet')).toBeVisible();
  });

  it('shows a hundred lines, and more on request', async () => {
    serveWard({ details: Array.from({ length: 230 }, (_, place) => aDetail(300 - place)) });
    await render({ at }, { user: aSupervisor() });
    const drawn = () => document.querySelectorAll('tr[id^="detail-"]').length;
    await waitFor(() => expect(drawn()).toBe(100));
    expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '231');
    await userEvent.click(screen.getByRole('button', { name: 'Mostrar 100 más de 130' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Mostrar 30 más' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Mostrar/ })).toBeNull());
    // All lines are in the table, but only visible ones are rendered.
    expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '231');
  });
});

describe('the side panel of a wide screen', () => {
  const today = '2026-11-21T12:00:00Z';
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(today) }));
  const details = [
    aDetail(4, { created_at: today, total: 0.1 }),
    aDetail(3, { created_at: today, total: 0.2 }),
    aDetail(2, { total: 9 }),
  ];

  it('shows today by category, and who recorded', async () => {
    serveWard({ details });
    whereMatches('100em');
    await render({ at }, { user: aSupervisor() });
    const panel = within(await screen.findByRole('region', { name: 'La hoja de un vistazo' }));
    expect(await panel.findByText('Guantes')).toBeVisible();
    expect(panel.getByText('$0,30')).toBeVisible();
    expect(panel.getByText('Lucía Paredes')).toBeVisible();
  });

  it('shows ward staff no money', async () => {
    serveWard({ details, seesPrices: false });
    whereMatches('100em');
    await render({ at }, { user: aNurse() });
    const panel = within(await screen.findByRole('region', { name: 'La hoja de un vistazo' }));
    expect(await panel.findByText('2 líneas')).toBeVisible();
    expect(document.body.textContent).not.toContain('$');
  });
});

describe('the list of lines', () => {
  const group = (name: string) => within(screen.getByRole('rowgroup', { name }));

  it("groups lines by the hospital's days, each with its sum", async () => {
    const details = [
      aDetail(4, { created_at: '2025-11-20T12:30:00Z', total: 0.1 }),
      aDetail(3, { created_at: '2025-11-20T00:10:00Z', total: 0.2 }),
      aDetail(2, { created_at: '2025-11-19T23:50:00Z' }),
    ];
    serveWard({ details });
    await render({ at }, { user: aSupervisor() });
    expect(await screen.findByText('2 líneas · $0,30')).toBeVisible();
    expect(group('20 nov 2025').getAllByRole('row')).toHaveLength(2);
    expect(group('20 nov 2025').getAllByRole('row')[0]).toHaveTextContent('12:30');
    expect(group('19 nov 2025').getAllByRole('row')[0]).toHaveTextContent('23:50');
  });

  it('shows no sum for a partially loaded day', async () => {
    const ward = serveWard({ details: Array.from({ length: 4 }, (_, place) => aDetail(9 - place)) });
    ward.atATime = 3;
    await render({ at }, { user: aSupervisor() });
    const heading = await screen.findByText('4 líneas', { selector: 'td' });
    await userEvent.click(screen.getByRole('button', { name: /^Mostrar/ }));
    await waitFor(() => expect(heading).toHaveTextContent('4 líneas · $2,80'));
  });

  it("shows short staff names, and areas other than the room's", async () => {
    serveWard({
      details: [
        aDetail(2, { area_id: 2, area: { id: 2, name: 'Medicina Interna' } }),
        aDetail(1, { area_id: 4, area: { id: 4, name: 'Quirófano' } }),
      ],
    });
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(rows()[0]).toContain('L. ParedesLucía Paredes');
    expect(rows()[0]).not.toContain('Medicina Interna');
    expect(rows()[1]).toContain('· Quirófano');
  });

  it("has one menu for a line's actions on touch screens", async () => {
    whereMatches('coarse');
    serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await userEvent.click(await screen.findByRole('button', { name: 'Más acciones: Gasa estéril' }));
    expect(await screen.findByRole('menuitem', { name: 'Ver Gasa estéril' })).toBeVisible();
    await userEvent.click(screen.getByRole('menuitem', { name: 'Borrar Gasa estéril' }));
    const dialog = await screen.findByRole('dialog', { name: 'Desea Borrar el detalle de consumo?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
    await userEvent.click(screen.getByRole('button', { name: 'Más acciones: Gasa estéril' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Editar Gasa estéril' }));
    expect(await screen.findByRole('row', { name: 'Editar detalle de consumo' })).toBeInTheDocument();
  });

  it('remembers the row density of this device', async () => {
    serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    const choose = async () => {
      await userEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
      await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Filas cómodas' }));
    };
    await choose();
    const density = () => document.querySelector('[data-density]')?.getAttribute('data-density');
    expect(density()).toBe('comfortable');
    cleanup();
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(density()).toBe('comfortable'));
    await choose();
    expect(density()).toBe('compact');
  });
});

describe('editing a line', () => {
  async function edit() {
    await userEvent.click(await screen.findByRole('button', { name: 'Editar Gasa estéril' }));
    await screen.findByRole('row', { name: 'Editar detalle de consumo' });
  }
  const editing = () => within(screen.getByRole('row', { name: 'Editar detalle de consumo' }));

  it('saves what is shown on Enter, with the version that was seen', async () => {
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

  it('changes nothing on Escape', async () => {
    serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await edit();
    await userEvent.keyboard('9{Escape}');
    expect(rows()[0]).toContain('2$0,70');
    expect(screen.getByRole('button', { name: 'Editar Gasa estéril' })).toHaveFocus();
  });

  it('keeps typed values after a refusal', async () => {
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

  it('reports that another user was first, and shows their version', async () => {
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
    expect(await screen.findByText(/Otra persona cambió esta línea/)).toBeVisible();
    await waitFor(() => expect(rows()[0]).toContain('8$2,80'));
  });

  it('deletes only after confirmation', async () => {
    const { id } = aSupervisor();
    const now = new Date().toISOString();
    const ward = serveWard({ details: [aDetail(1, { version: 5, user_id: id, created_at: now })] });
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
    expect(await screen.findByText('Aún no hay líneas')).toBeVisible();
    expect(ifMatch).toBe('"5"');
  });
});

describe("the page's header", () => {
  it('identifies the patient and warns of an equal surname', async () => {
    const patient = { ...aSheet().patient, first_surname: 'Muñoz', record_number: 'EXP-7' };
    const born = { date_of_birth: `${new Date().getFullYear() - 36}-01-01` };
    serveWard({ sheet: { patient: { ...patient, ...born } } });
    const asked: string[] = [];
    const other = (id: number, name: string, first_surname: string) =>
      aSheet({
        id,
        patient_id: id,
        patient: { ...patient, id, first_surname },
        room: { ...aSheet().room, name },
      });
    server.use(
      http.get('/api/consumption-sheets', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('q') ?? '');
        const ownAgain = { ...other(8, '204', 'Muñoz'), patient_id: aSheet().patient_id };
        return HttpResponse.json(
          aPage([aSheet(), ownAgain, other(9, '305', 'Munoz'), other(10, '306', 'Muñozca')]),
        );
      }),
    );
    await render({ at }, { user: aSupervisor() });
    const head = await screen.findByRole('region', { name: 'Paciente' });
    expect(head).toHaveTextContent('María Muñoz Mamani 36 años · EXP-7');
    expect(await within(head).findByText('Hay otro Muñoz en 305')).toBeVisible();
    await record('gasa', '2');
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(asked).toEqual(['Muñoz']);
  });
});

describe('closing the sheet', () => {
  it('shows what will be frozen, closes exactly that, and leaves', async () => {
    const ward = serveWard({ sheet: { version: 11 }, details: [aDetail(1)] });
    ward.summary = {
      days: [{ day: '2026-11-20', lines: 1, total: 0.7 }],
      categories: [{ category, lines: 1, total: 0.7 }],
      version: 12,
    };
    let ifMatch: string | null = null;
    server.use(
      http.delete('/api/consumption-sheets/1/close', ({ request }) => {
        ifMatch = request.headers.get('If-Match');
        return HttpResponse.json(aSheet({ closed: true }));
      }),
      http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
    );
    const { router } = await render({ at }, { user: aSupervisor() });
    await userEvent.click(await screen.findByRole('button', { name: 'Cerrar hoja' }));
    const dialog = await screen.findByRole('dialog', { name: 'Finalizar hoja de consumo?' });
    await waitFor(() => expect(dialog).toHaveTextContent('1 línea'));
    expect(dialog).toHaveTextContent('Total: $0,70');
    expect(dialog).not.toHaveTextContent('cantidad 0');
    expect(within(dialog).getByRole('row', { name: '20 nov 2026 1 $0,70' })).toBeInTheDocument();
    expect(within(dialog).getByRole('row', { name: 'Guantes 1 $0,70' })).toBeInTheDocument();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cerrar hoja' }));
    expect(await screen.findByText('Hoja de consumo finalizada')).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/consumption-sheets'));
    expect(ifMatch).toBe('"12"');
  });

  it('lists possible mistakes first, and goes to the line', async () => {
    const ward = serveWard({ details: Array.from({ length: 8 }, (_, place) => aDetail(87 - place)) });
    ward.atATime = 3;
    const line = (id: number, product_name: string) => ({
      id,
      product_id: 1,
      product_name,
      quantity: 0,
      created_at: '2026-11-20T12:30:00Z',
    });
    ward.summary = {
      without_quantity: [line(80, 'Gasa estéril'), ...[1, 2, 3, 4, 5].map((id) => line(id, `Venda ${id}`))],
      without_price: [line(90, 'Muestra')],
    };
    await render({ at }, { user: aSupervisor() });
    await userEvent.click(await screen.findByRole('button', { name: 'Cerrar hoja' }));
    const dialog = await screen.findByRole('dialog', { name: 'Finalizar hoja de consumo?' });
    expect(dialog).toHaveTextContent('6 líneas con cantidad 0');
    expect(dialog).toHaveTextContent('y 2 más');
    expect(dialog).toHaveTextContent('1 línea sin precio');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Revisar Gasa estéril' }));
    const editing = await screen.findByRole('row', { name: 'Editar detalle de consumo' });
    await waitFor(() => expect(within(editing).getByLabelText('Cantidad')).toHaveFocus());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(rows()).toHaveLength(8));
  });

  it('shows ward staff no total or price, and goes to the line', async () => {
    const ward = serveWard({ seesPrices: false, details: [aDetail(2), aDetail(1, { quantity: 0 })] });
    ward.summary = {
      days: [{ day: '2026-11-20', lines: 2 }],
      without_quantity: [
        { id: 1, product_id: 1, product_name: 'Gasa', quantity: 0, created_at: '2026-11-20T12:30:00Z' },
      ],
    };
    await render({ at }, { user: aNurse() });
    await userEvent.click(await screen.findByRole('button', { name: 'Cerrar hoja' }));
    const dialog = await screen.findByRole('dialog', { name: 'Finalizar hoja de consumo?' });
    expect(dialog).not.toHaveTextContent(/Total|\$|precio/);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Revisar Gasa' }));
    await waitFor(() => expect(document.activeElement).toHaveAttribute('id', 'detail-1'));
  });

  it('names patient and unlisted items, and acknowledges them', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    ward.summary = {
      unlisted_items: [{ id: 4, description: 'Bisturí láser', quantity: 1 } as UnlistedItemView],
    };
    let acknowledged: string | null = null;
    server.use(
      http.delete('/api/consumption-sheets/1/close', ({ request }) => {
        acknowledged = new URL(request.url).searchParams.get('acknowledged');
        return HttpResponse.json(aSheet({ closed: true }));
      }),
      http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
    );
    await render({ at }, { user: aNurse() });
    await userEvent.click(await screen.findByRole('button', { name: 'Cerrar hoja' }));
    const dialog = await screen.findByRole('dialog', { name: 'Finalizar hoja de consumo?' });
    await waitFor(() => expect(dialog).toHaveTextContent('1 × Bisturí láser'));
    expect(within(dialog).getByRole('group', { name: 'Paciente' })).toHaveTextContent('María Quispe Mamani');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cerrar hoja' }));
    await waitFor(() => expect(acknowledged).toBe('unlisted_items.open'));
  });

  it('reports lines recorded meanwhile, and shows them', async () => {
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
    expect(await screen.findByText(/Someone else recorded or changed something/)).toBeVisible();
    await waitFor(() => expect(rows()).toHaveLength(2));
  });
});
