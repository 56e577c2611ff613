import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { singleKeys } from '@/shared/ui/singleKeys';
import { anAreaSheet, atArea, serveArea } from '@/test/area';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';
import { aDetail, at, glove, product, rows, serveWard } from '@/test/ward';

interface Sent {
  path: string;
  body: Record<string, unknown>;
}

/** Serve two lines of other users, and collect the corrections. */
function serveCorrections() {
  const ward = serveWard({
    details: [aDetail(2, { product: glove, product_id: 2 }), aDetail(1, { version: 5 })],
  });
  const sent: Sent[] = [];
  const answers: { refuse?: () => Response } = {};
  const other = aSheet({ id: 9 });
  server.use(
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([other]))),
    http.post('/api/*', async ({ request }) => {
      const path = new URL(request.url).pathname;
      if (!/(void|move-details|return|waste)$/.test(path)) return undefined;
      const body = (await request.clone().json()) as Sent['body'];
      sent.push({ path, body });
      const refused = answers.refuse?.();
      if (refused) return refused;
      if (path.endsWith('return')) {
        const quantity = 2 - Number(body.quantity);
        const [, line = aDetail(1)] = ward.details;
        return HttpResponse.json({ ...line, quantity, returned: body.quantity, version: 6 });
      }
      if (path.endsWith('waste')) {
        const [, line = aDetail(1)] = ward.details;
        const rest = { ...line, quantity: line.quantity - Number(body.quantity), version: 6 };
        const part = aDetail(50, { ...body, total: 0, unbilled: 'wasted' });
        ward.details = [part, ...ward.details];
        return HttpResponse.json({ items: [rest, part] });
      }
      const ids = (body.detail_ids as number[] | undefined) ?? [1];
      ward.details = ward.details.filter(({ id }) => !ids.includes(id));
      ward.sheet = { ...ward.sheet, version: ward.sheet.version + 1 };
      return HttpResponse.json({ moved: [], from: {}, to: {} });
    }),
  );
  return { ward, sent, answers, other };
}

const more = (name: string) => screen.findByRole('button', { name: `Más acciones: ${name}` });

it("requires a reason for others' lines, and offers to move them", async () => {
  const { sent } = serveCorrections();
  await render({ at }, { user: aSupervisor() });
  await userEvent.click(await screen.findByRole('button', { name: 'Borrar Gasa estéril · GR-1' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Desea Borrar el detalle de consumo?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Borrar' }));
  expect(await dialog.findByText('Este dato es obligatorio.')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Paciente equivocado' }));
  expect(dialog.getByRole('button', { name: 'Mover a otra hoja' })).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Producto equivocado' }));
  expect(dialog.queryByRole('button', { name: 'Mover a otra hoja' })).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Borrar' }));
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(sent).toEqual([
    { path: '/api/consumption-details/1/void', body: { reason: 'Producto equivocado' } },
  ]);
});

it('moves lines to another patient after questions; undoes it', async () => {
  const { sent, answers } = serveCorrections();
  await render({ at }, { user: aSupervisor() });
  await userEvent.click(await more('Gasa estéril · GR-1'));
  await userEvent.click(await screen.findByRole('menuitem', { name: /Mover/ }));
  const dialog = within(await screen.findByRole('dialog', { name: '¿A qué hoja pertenece?' }));
  await userEvent.type(dialog.getByRole('combobox'), 'ana');
  await userEvent.click(await screen.findByRole('option'));
  await userEvent.click(dialog.getByRole('checkbox', { name: /Guante de nitrilo M/ }));
  await userEvent.type(dialog.getByRole('textbox', { name: /Motivo/ }), 'Otro paciente');
  const errors = [
    { field: 'to_sheet_id', code: 'moment.before_admission', message: 'Es anterior.', acknowledgeable: true },
  ];
  answers.refuse = () => HttpResponse.json({ message: ['Es anterior.'], errors }, { status: 422 });
  await userEvent.click(dialog.getByRole('button', { name: 'Mover 2 líneas' }));
  expect(await dialog.findByText('Es anterior.')).toBeVisible();
  answers.refuse = undefined;
  await userEvent.click(dialog.getByRole('button', { name: 'Mover de todos modos' }));
  const told = (await screen.findByText(/2 líneas pasaron a la hoja de/)).parentElement as HTMLElement;
  expect(sent.at(-1)).toEqual({
    path: '/api/consumption-sheets/1/move-details',
    body: {
      to_sheet_id: 9,
      detail_ids: [1, 2],
      reason: 'Otro paciente',
      acknowledged: ['moment.before_admission'],
    },
  });
  await userEvent.click(within(told).getByRole('button', { name: 'Deshacer' }));
  await waitFor(() => expect(sent.at(-1)?.path).toBe('/api/consumption-sheets/9/move-details'));
  expect(sent.at(-1)?.body).toMatchObject({ to_sheet_id: 1, detail_ids: [1, 2] });
});

it('moves a line to the area of the patient, with a reason', async () => {
  const { sent } = serveCorrections();
  server.use(http.post('/api/areas/2/sheet', () => HttpResponse.json(anAreaSheet({ id: 7 }))));
  await render({ at }, { user: aSupervisor() });
  await userEvent.click(await more('Gasa estéril · GR-1'));
  await userEvent.click(await screen.findByRole('menuitem', { name: /Mover/ }));
  const dialog = within(await screen.findByRole('dialog', { name: '¿A qué hoja pertenece?' }));
  await userEvent.click(await dialog.findByRole('button', { name: 'Gasto del área UCI' }));
  await userEvent.type(dialog.getByRole('textbox', { name: /Motivo/ }), 'Era del carro');
  await userEvent.click(dialog.getByRole('button', { name: 'Mover 1 línea' }));
  expect(await dialog.findByText('Este dato es obligatorio.')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Carro de paro' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Mover 1 línea' }));
  const told = (await screen.findByText('1 línea pasó al gasto del área UCI')).parentElement as HTMLElement;
  const body = { to_sheet_id: 7, detail_ids: [1], reason: 'Era del carro', use_reason: 'crash_cart' };
  expect(sent).toEqual([{ path: '/api/consumption-sheets/1/move-details', body }]);
  await userEvent.click(within(told).getByRole('button', { name: 'Deshacer' }));
  await waitFor(() => expect(sent.at(-1)?.path).toBe('/api/consumption-sheets/7/move-details'));
  expect(sent.at(-1)?.body).toEqual({
    to_sheet_id: 1,
    detail_ids: [1],
    reason: 'Deshacer',
    acknowledged: [],
  });
});

it("moves an area's lines to a patient, and back with their reasons", async () => {
  const { sent } = serveCorrections();
  serveArea({
    details: [
      aDetail(2, { use_reason: 'cleaning', product: glove, product_id: 2 }),
      aDetail(1, { use_reason: 'other' }),
    ],
  });
  const taken: unknown[] = [];
  server.use(
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([aSheet({ id: 9 })]))),
    http.post('/api/consumption-sheets/:id/move-details', async ({ params, request }) => {
      const { detail_ids, use_reason, to_sheet_id } = (await request.json()) as Record<string, unknown>;
      taken.push([params.id, to_sheet_id, detail_ids, use_reason]);
      return HttpResponse.json({ moved: [], from: {}, to: {} });
    }),
  );
  await render({ at: atArea }, { user: aSupervisor() });
  await userEvent.click(await more('Gasa estéril · GR-1'));
  await userEvent.click(await screen.findByRole('menuitem', { name: /Mover/ }));
  const dialog = within(await screen.findByRole('dialog', { name: '¿A qué hoja pertenece?' }));
  expect(within(dialog.getByRole('group', { name: 'Gasto del área' })).getByText(/UCI/)).toBeVisible();
  expect(dialog.queryByRole('button', { name: /Gasto del área/ })).toBeNull();
  await userEvent.type(dialog.getByRole('combobox'), 'ana');
  await userEvent.click(await screen.findByRole('option'));
  await userEvent.click(dialog.getByRole('checkbox', { name: /Guante de nitrilo M/ }));
  await userEvent.type(dialog.getByRole('textbox', { name: /Motivo/ }), 'Era de ella');
  await userEvent.click(dialog.getByRole('button', { name: 'Mover 2 líneas' }));
  const told = (await screen.findByText(/2 líneas pasaron a la hoja de/)).parentElement as HTMLElement;
  await userEvent.click(within(told).getByRole('button', { name: 'Deshacer' }));
  await waitFor(() => expect(taken).toHaveLength(3));
  expect(taken).toEqual([
    ['1', 9, [1, 2], undefined],
    ['9', 1, [1], 'other'],
    ['9', 1, [2], 'cleaning'],
  ]);
  expect(sent).toEqual([]);
});

it('records a return from an empty field, and shows it', async () => {
  const { sent } = serveCorrections();
  await render({ at }, { user: aSupervisor() });
  await userEvent.click(await more('Gasa estéril · GR-1'));
  await userEvent.click(await screen.findByRole('menuitem', { name: /Devolver/ }));
  const dialog = within(await screen.findByRole('dialog', { name: '¿Cuánto se devuelve?' }));
  expect(dialog.getByRole('textbox', { name: /Cantidad devuelta/ })).toHaveValue('');
  await userEvent.type(dialog.getByRole('textbox', { name: /Cantidad devuelta/ }), '0,5');
  await userEvent.click(dialog.getByRole('button', { name: 'Sin usar' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Registrar devolución' }));
  expect(await screen.findByText('Devueltas 0,5 de 2')).toBeVisible();
  expect(sent).toEqual([
    { path: '/api/consumption-details/1/return', body: { quantity: 0.5, reason: 'unused' } },
  ]);
});

it('lists voided lines with their reasons, records one again', async () => {
  const { ward } = serveCorrections();
  const voided = { at: '2026-11-20T13:00:00Z', by: { id: 3, name: 'Rosa Núñez' }, reason: 'Repetida' };
  server.use(
    http.get('/api/consumption-sheets/1/consumption-details', ({ request }) =>
      HttpResponse.json(aPage(request.url.includes('voided=only') ? [aDetail(7, { voided })] : ward.details)),
    ),
    http.get('/api/products/1', () =>
      HttpResponse.json({ ...aDetail(1).product, active: true, decimals: 3 }),
    ),
  );
  await render({ at }, { user: aSupervisor() });
  await userEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Líneas anuladas' }));
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByText(/anulada por Rosa Núñez .* Repetida/)).toBeVisible();
  await userEvent.click(drawer.getByRole('button', { name: 'Registrar de nuevo' }));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Producto' })).toHaveValue('Gasa estéril'));
});

describe('the patient of a line', () => {
  const band = async (dialog: string | RegExp) =>
    (await screen.findByRole('dialog', { name: dialog })).querySelector('[role=group]') as HTMLElement;
  const who = 'María Quispe Mamani 36 años · EXP-7 201-A · ingresó el 20 nov 2026';
  const patient = {
    ...aSheet().patient,
    record_number: 'EXP-7',
    date_of_birth: `${new Date().getFullYear() - 36}-01-01`,
  };

  it.each([
    ['Mover', '¿A qué hoja pertenece?'],
    ['Devolver', '¿Cuánto se devuelve?'],
  ])('is shown in the dialog of %s', async (item, question) => {
    const { ward } = serveCorrections();
    ward.sheet = { ...ward.sheet, patient };
    await render({ at }, { user: aSupervisor() });
    await userEvent.click(await more('Gasa estéril · GR-1'));
    await userEvent.click(await screen.findByRole('menuitem', { name: new RegExp(item) }));
    expect(await band(question)).toHaveTextContent(who);
  });

  it.each([
    ['asks for a reason', '2026-11-20T12:30:00Z'],
    ['only asks', new Date().toISOString()],
  ])('is shown when deleting %s', async (_, created_at) => {
    const ward = serveWard({ details: [aDetail(1, { created_at, user_id: aSupervisor().id })] });
    ward.sheet = { ...ward.sheet, patient };
    await render({ at }, { user: aSupervisor() });
    await userEvent.click(await screen.findByRole('button', { name: 'Borrar Gasa estéril · GR-1' }));
    await waitFor(async () =>
      expect(await band('Desea Borrar el detalle de consumo?')).toHaveTextContent(who),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Cancelar' }));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Borrar Gasa estéril · GR-1' })).toHaveFocus(),
    );
  });

  it('is shown for the target sheet of a move', async () => {
    const { other } = serveCorrections();
    other.patient = { ...patient, name: 'Ana' };
    await render({ at }, { user: aSupervisor() });
    await userEvent.click(await more('Gasa estéril · GR-1'));
    await userEvent.click(await screen.findByRole('menuitem', { name: /Mover/ }));
    const dialog = await screen.findByRole('dialog', { name: '¿A qué hoja pertenece?' });
    await userEvent.type(within(dialog).getByRole('combobox'), 'ana');
    await userEvent.click(await screen.findByRole('option'));
    expect(within(dialog).getAllByRole('group', { name: 'Paciente' })[1]).toHaveTextContent(
      who.replace('María', 'Ana'),
    );
  });
});

it('marks a part as thrown away, by keys, and takes that back', async () => {
  const { sent } = serveCorrections();
  const undone: string[] = [];
  server.use(
    http.delete('/api/consumption-details/:id/waste', ({ params }) => {
      undone.push(String(params.id));
      return HttpResponse.json(aDetail(50, { version: 2 }));
    }),
  );
  await render({ at }, { user: aSupervisor() });
  await userEvent.click(await more('Gasa estéril · GR-1'));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Desechar Gasa estéril · GR-1' }));
  const dialog = within(await screen.findByRole('dialog', { name: '¿Qué se desechó?' }));
  await userEvent.clear(dialog.getByLabelText(/^Cantidad desechada/));
  await userEvent.keyboard('1{Enter}');
  expect(await dialog.findByText('Este dato es obligatorio.')).toBeVisible();
  await userEvent.keyboard('{Alt>}[Digit2]{/Alt}');
  expect(dialog.getByRole('button', { name: 'Caído o contaminado' })).toHaveAttribute('aria-pressed', 'true');
  await userEvent.click(dialog.getByRole('button', { name: 'Desechar' }));
  expect(await screen.findByText('Línea marcada como desechada')).toBeVisible();
  expect(sent).toEqual([
    { path: '/api/consumption-details/1/waste', body: { quantity: 1, use_reason: 'dropped' } },
  ]);
  expect(await screen.findByText(/desechado: caído o contaminado/)).toBeVisible();
  await userEvent.click(await screen.findByRole('button', { name: 'Deshacer' }));
  await waitFor(() => expect(undone).toEqual(['50']));
});

describe('the key D on a line', () => {
  const focus = async (id: number) => {
    await screen.findAllByRole('row', { name: /Gasa estéril/ });
    document.getElementById(`detail-${id}`)?.focus();
  };
  const dialog = () => screen.queryByRole('dialog', { name: '¿Qué se desechó?' });

  it('throws it away with Alt+2 and Enter', async () => {
    const { sent } = serveCorrections();
    await render({ at }, { user: aSupervisor() });
    await focus(1);
    await userEvent.keyboard('d');
    expect(dialog()).toBeNull();
    await waitFor(() => expect(dialog()).toBeVisible());
    const quantity = within(dialog() as HTMLElement).getByLabelText(/^Cantidad desechada/);
    await waitFor(() => expect(quantity).toHaveFocus());
    await userEvent.keyboard('{Alt>}[Digit2]{/Alt}{Enter}');
    await waitFor(() =>
      expect(sent).toEqual([
        { path: '/api/consumption-details/1/waste', body: { quantity: 2, use_reason: 'dropped' } },
      ]),
    );
  });

  it('throws all marked lines away if it is one of them', async () => {
    serveCorrections();
    await render({ at }, { user: aSupervisor() });
    await focus(2);
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}D');
    await waitFor(() => expect(dialog()).toHaveTextContent('2 Guante de nitrilo M'));
    expect(dialog()).toHaveTextContent('2 Gasa estéril');
  });

  it('begins a text if another key follows at once', async () => {
    serveCorrections();
    await render({ at }, { user: aSupervisor() });
    await focus(1);
    await userEvent.keyboard('De');
    expect(await product()).toHaveFocus();
    expect(await product()).toHaveValue('De');
    await delay(400);
    expect(dialog()).toBeNull();
  });

  it('begins a scanned code', async () => {
    serveCorrections();
    const looked: (string | null)[] = [];
    server.use(
      http.get('/api/products/lookup', ({ request }) => {
        looked.push(new URL(request.url).searchParams.get('scan'));
        return HttpResponse.json({ matches: [], people: [], label: null, reading: null });
      }),
    );
    await render({ at }, { user: aSupervisor() });
    await focus(1);
    await userEvent.keyboard('D12345678{Enter}');
    await waitFor(() => expect(looked).toEqual(['D12345678']));
    await delay(400);
    expect(dialog()).toBeNull();
    expect(await product()).toHaveValue('');
  });

  it('is text where single keys are off, or the line was thrown away', async () => {
    const { ward } = serveCorrections();
    ward.details = [aDetail(2, { use_reason: 'opened' }), aDetail(1)];
    await render({ at }, { user: aSupervisor() });
    await focus(2);
    await userEvent.keyboard('d');
    expect(await product()).toHaveValue('d');
    await userEvent.keyboard('{Backspace}');
    singleKeys.turn(false);
    await focus(1);
    await userEvent.keyboard('d');
    singleKeys.turn(true);
    expect(await product()).toHaveValue('d');
  });
});
