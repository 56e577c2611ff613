import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { UnlistedItemView } from '@/api/generated';
import { aQuestion, serveMissed } from '@/test/missed';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { setRecordDelay } from '@/test/setRecordDelay';
import { aPage, aSheet } from '@/test/sheets';
import { aDetail, at, category, glove, outdated, record, rows, serveWard } from '@/test/ward';

setRecordDelay(20);

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
    await userEvent.click(within(dialog).getByRole('button', { name: 'Finalizar' }));
    expect(await screen.findByText('Hoja de consumo finalizada')).toBeVisible();
    expect(screen.getByText('María Quispe Mamani, 201-A: finalizada')).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/consumption-sheets'));
    expect(ifMatch).toBe('"12"');
    let undone = false;
    server.use(
      http.post('/api/consumption-sheets/1/close/undo', () => {
        undone = true;
        return HttpResponse.json(aSheet());
      }),
    );
    // The message leaves the page with the user.
    await waitFor(() => expect(screen.getByRole('button', { name: 'Deshacer' }).closest('form')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Deshacer' }));
    await waitFor(() => expect(router.state.location.pathname).toContain('/consumption-sheet-details/1'));
    expect(undone).toBe(true);
  });

  it('lists possible mistakes first, and goes to the line', async () => {
    const ward = serveWard({ details: Array.from({ length: 8 }, (_, place) => aDetail(87 - place)) });
    ward.atATime = 3;
    const line = (id: number, product_name: string) => ({
      id,
      product_id: 1,
      product_name,
      product_code: null,
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
        {
          id: 1,
          product_id: 1,
          product_name: 'Gasa',
          product_code: null,
          quantity: 0,
          created_at: '2026-11-20T12:30:00Z',
        },
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
    await waitFor(() => expect(dialog).toHaveTextContent('1 Bisturí láser'));
    expect(within(dialog).getByRole('group', { name: 'Paciente' })).toHaveTextContent('María Quispe Mamani');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Finalizar' }));
    await waitFor(() => expect(acknowledged).toBe('unlisted_items.open'));
  });

  it('names implants without lot or serial number', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    const implant = {
      id: 1,
      product_id: 1,
      product_name: 'Marcapasos',
      product_code: null,
      quantity: 1,
      created_at: '',
    };
    ward.summary = {
      incomplete_implants: [{ ...implant, lot: 'L1', serial: null, implant_reason: null }],
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
    const dialog = within(await screen.findByRole('dialog', { name: 'Finalizar hoja de consumo?' }));
    expect(await dialog.findByRole('heading', { name: 'Implante sin lote o serie' })).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Revisar Marcapasos' })).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'Finalizar' }));
    await waitFor(() => expect(acknowledged).toBe('implants.incomplete'));
  });

  it('takes a probably missing product in hand', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    const answers = serveMissed([aQuestion(glove)]);
    server.use(http.get('/api/products/2', () => HttpResponse.json(glove)));
    await render({ at }, { user: aNurse() });
    await userEvent.click(await screen.findByRole('button', { name: 'Cerrar hoja' }));
    await userEvent.click(await screen.findByRole('button', { name: /^Guante de nitrilo M/ }));
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Producto' })).toHaveValue(glove.name));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(answers).toEqual([{ product: '2', because_id: 1, used: true }]);
    expect(ward.sent).toEqual([]);
  });

  it('sets the time of use to a day without lines', async () => {
    const ward = serveWard();
    ward.summary = { days: [{ day: '2020-11-20', lines: 0 }] };
    await render({ at }, { user: aSupervisor() });
    await userEvent.click(await screen.findByRole('button', { name: 'Cerrar hoja' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Agregar 20 nov' }));
    expect(await screen.findByRole('button', { name: 'Cuándo se usó: 20 nov, 12:00' })).toBeVisible();
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Producto' })).toHaveFocus());
    await record('gasa', '2');
    await waitFor(() => expect(ward.sent.at(-1)).toMatchObject({ occurred_at: '2020-11-20T12:00:00.000Z' }));
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
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText(/Someone else recorded or changed something/)).toBeVisible();
    await waitFor(() => expect(rows()).toHaveLength(2));
  });
});
