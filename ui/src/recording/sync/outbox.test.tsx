import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { COST } from '@/test/canaries';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { setRecordDelay } from '@/test/setRecordDelay';
import { aPage, aSheet } from '@/test/sheets';
import { aDetail, at, outdated, product, quantity, record, refusal, rows, serveWard } from '@/test/ward';

setRecordDelay(20);

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
    expect(rows().map((row) => row?.match(/(\d)(?:Gasa|Guante)/)?.[1])).toEqual(['3', '2', '1']);
  });

  it.each(['1', '250'])('records %s while the next product is typed', async (amount) => {
    const ward = serveWard();
    let release = () => {};
    const answered = new Promise<void>((resolve) => {
      release = resolve;
    });
    ward.slow = () => answered;
    // The device does not know the catalogue: the number may be a code.
    server.use(http.get('/api/catalogue', () => HttpResponse.error()));
    await render({ at }, { user: aSupervisor() });
    await record('gasa', amount);
    await waitFor(() => expect(ward.lookedUp).toContain(amount));
    await userEvent.type(await product(), 'nitrilo');
    release();
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: Number(amount) }]));
    expect(await product()).toHaveFocus();
    expect(await product()).toHaveValue('nitrilo');
    expect(quantity()).toHaveValue('');
  });

  it('keeps a refused line above the list for correction', async () => {
    const ward = serveWard();
    ward.refuse = ({ quantity }) => (quantity === 4 ? refusal('quantity', 'Hasta 0 decimales.') : undefined);
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '4');
    // The list may first show the row until the device has its entry.
    expect(await screen.findByText('4 Gasa estéril · GR-1')).toBeVisible();
    expect((await open()).getByText('Hasta 0 decimales.')).toBeVisible();
    await userEvent.click((await open()).getByRole('button', { name: 'Corregir' }));
    await userEvent.type((await open()).getByLabelText('Cantidad de Gasa estéril · GR-1'), '5{Enter}', {
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
    expect(await screen.findByText('4 Gasa estéril · GR-1')).toBeVisible();
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

  it('undoes a line that waits for the network or is being sent', async () => {
    const ward = serveWard();
    ward.refuse = () => HttpResponse.error();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    await record('gasa', '2');
    await waitFor(() => expect(screen.getAllByText('En espera')).toHaveLength(2));
    // The server may have the first one, not the second one.
    await userEvent.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(screen.getAllByText('En espera')).toHaveLength(1));
    await userEvent.keyboard('{Control>}z{/Control}');
    expect(await screen.findByText('Línea deshecha')).toBeVisible();
    ward.refuse = undefined;
    await userEvent.click(screen.getByRole('button', { name: 'Enviar ahora' }));
    await waitFor(() => expect(ward.deleted).toHaveLength(1));
    await waitFor(() => expect(screen.queryByText('Línea deshecha')).toBeNull());
    expect(new Set(ward.sent.map(({ quantity }) => quantity))).toEqual(new Set([1]));
    expect(ward.details).toEqual([]);
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
      await screen.findByRole('row', { name: /6.*Gasa estéril.*Llegó tarde; en espera de un supervisor/ }),
    ).toBeVisible();
    expect(screen.queryByRole('combobox', { name: 'Producto' })).toBeNull();
    expect(late).toMatchObject([{ key: ward.sent[0]?.key, items: [{ product_id: 1, quantity: 6 }] }]);
    expect(late[0]).toHaveProperty('occurred_at');
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
        await userEvent.click(await screen.findByRole('button', { name: 'Editar Gasa estéril · GR-1' }));
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

describe('undoing the last record', () => {
  const undoButton = () => within(screen.getByRole('table')).findByRole('button', { name: /^Deshacer/ });

  it('deletes it without a question and leaves the bar empty', async () => {
    const ward = serveWard({ seesPrices: false, details: [aDetail(1)] });
    await render({ at }, { user: aNurse() });
    await record('guante de nitrilo m', '2,5');
    await waitFor(() => expect(rows()).toHaveLength(2));
    await userEvent.click(await undoButton());
    expect(await screen.findByText('Deshecho: 2,5 Guante de nitrilo M')).toBeVisible();
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(ward.deleted).toEqual(['101 "1"']);
    expect(await product()).toHaveValue('');
    expect(within(screen.getByRole('table')).queryByRole('button', { name: /^Deshacer/ })).toBeNull();
  });

  it('undoes the line of the button, not the one that is being recorded', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    await waitFor(() => expect(rows()).toHaveLength(2));
    const button = await undoButton();
    const release = ward.hold();
    await record('nitrilo m', '2');
    await userEvent.click(button);
    await waitFor(() => expect(ward.deleted).toEqual(['101 "1"']));
    expect(await screen.findByText(/^Deshecho: 1 Gasa/)).toBeInTheDocument();
    release();
    expect(await screen.findByText(/: 2 Guante de nitrilo M$/)).toBeInTheDocument();
    expect(ward.deleted).toEqual(['101 "1"']);
  });

  it('announces an entry that was undone before it was sent', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    const release = ward.hold();
    await record('gasa', '1');
    await record('nitrilo m', '2');
    await userEvent.keyboard('{Control>}z{/Control}');
    expect(await screen.findByText('Deshecho: 2 Guante de nitrilo M')).toBeInTheDocument();
    release();
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(ward.sent).toHaveLength(1);
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
