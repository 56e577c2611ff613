import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FormWithProductsView, ProductLookupView } from '@/api/generated';
import { publicKey } from '@/device/keys';
import { deviceBound } from '@/session/session';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { anAreaSheet, serveArea } from '@/test/area';
import { scan } from '@/test/keys';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { gauze, glove, refusal, serveWard } from '@/test/ward';

const patient = {
  id: 11,
  name: 'María',
  first_surname: 'Quispe',
  second_surname: null,
  record_number: 'E-1',
};

const theForm: FormWithProductsView = {
  number: 4,
  state: 'open',
  blank: false,
  sheet: { id: 1, closed: false, patient, room: '201-A' },
  area_id: 2,
  area: 'UCI',
  printed_at: '2026-11-20T08:00:00Z',
  printed_by: 'Nuria Paz',
  decided_at: null,
  decided_by: null,
  recorded_sheet_id: null,
  late_entry_id: null,
  reason: null,
  products: [gauze, glove].map(({ id, name, code, unit, active }) => ({ id, name, code, unit, active })),
};

interface Sent {
  sheet_id: number;
  occurred_at: string;
  items: Record<string, unknown>[];
  acknowledged: string[];
  as_late_entry: boolean;
}

/** Serve the form; `answers` are those to recording it, in turn. */
function serveForm(answers: (() => Response)[] = [], form = theForm) {
  const sent: Sent[] = [];
  // The sheet to which recording leads.
  serveWard({ seesPrices: false });
  server.use(
    http.get('/api/contingency-forms/4', () => HttpResponse.json(form)),
    http.post('/api/contingency-forms/4/record', async ({ request }) => {
      sent.push((await request.json()) as Sent);
      const answer = answers[sent.length - 1];
      if (answer) return answer();
      return HttpResponse.json(
        { number: 4, consumption_sheet_id: 1, late_entry_id: null, items: [] },
        { status: 201 },
      );
    }),
  );
  return sent;
}

const pack = (change: Partial<NonNullable<ProductLookupView['reading']>>) => ({
  bare: false,
  count: null,
  expiry: null,
  expiry_unreadable: false,
  gtin: '09520000001483',
  incomplete: false,
  lot: null,
  separator_lost: false,
  serial: null,
  ...change,
});

/** Answer scans of these codes with the gauze and that reading. */
function serveScans(readings: Record<string, ReturnType<typeof pack>>) {
  server.use(
    http.get('/api/products/lookup', ({ request }) => {
      const code = new URL(request.url).searchParams.get('scan') ?? '';
      const match = { product: gauze, units: 1, label: null };
      return HttpResponse.json({ reading: readings[code], matches: [match], people: [], label: null });
    }),
  );
}

const quantityOf = (name: string) => screen.findByRole('textbox', { name: `Cantidad de ${name}` });
const save = (name = 'Guardar') => userEvent.click(screen.getByRole('button', { name }));

async function open() {
  const shown = await render({ at: '/consumption-sheets/forms/4' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('checkbox', { name: /María Quispe/ }));
  await userEvent.type(screen.getByLabelText(/Fecha y hora/), '2026-11-20T09:30');
  return shown;
}

it('records the quantities of a form, and leads to its sheet', async () => {
  const sent = serveForm();
  const { router } = await open();
  await userEvent.type(await quantityOf(nameAndCode(gauze)), '3');
  await save();
  await waitFor(() => expect(router.state.location.pathname).toContain('/consumption-sheet-details/1/'));
  expect(sent).toMatchObject([
    { sheet_id: 1, items: [{ product_id: gauze.id, quantity: 3 }], acknowledged: [], as_late_entry: false },
  ]);
  expect(sent[0]?.occurred_at).toMatch(/^2026-11-20T\d\d:30/);
});

it('records a blank form on the page of its area, with what for', async () => {
  const sent = serveForm([], { ...theForm, blank: true, sheet: null });
  serveArea({ seesPrices: false });
  server.use(http.post('/api/areas/2/sheet', () => HttpResponse.json(anAreaSheet({ id: 9 }))));
  const { router } = await render({ at: '/consumption-sheets/forms/4' }, { user: aNurse() });
  await userEvent.type(await quantityOf(nameAndCode(gauze)), '3');
  await userEvent.type(screen.getByLabelText(/Fecha y hora/), '2026-11-20T09:30');
  await userEvent.click(screen.getByRole('button', { name: 'Gasto del área UCI' }));
  await save();
  expect(await screen.findByRole('alert')).toHaveTextContent('Este dato es obligatorio.');
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Limpieza' }));
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe('/consumption-sheets/areas/2'));
  expect(sent).toMatchObject([{ sheet_id: 9, items: [{ quantity: 3, use_reason: 'cleaning' }] }]);
});

it('asks about a quantity that may be two numbers, and sends none that was deleted', async () => {
  const sent = serveForm();
  await open();
  await userEvent.type(await quantityOf(nameAndCode(gauze)), '1.500');
  await userEvent.type(await quantityOf(nameAndCode(glove)), '2{Backspace}');
  await save();
  expect(await quantityOf(nameAndCode(gauze))).toBeInvalid();
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: '1500' }));
  await save();
  await waitFor(() => expect(sent).toMatchObject([{ items: [{ product_id: gauze.id, quantity: 1500 }] }]));
  expect(sent[0]?.items).toHaveLength(1);
});

it('asks about a quantity of 0, and records it if it is sent again', async () => {
  const sent = serveForm();
  await open();
  const quantity = await quantityOf(nameAndCode(gauze));
  await userEvent.type(quantity, '0');
  await save();
  await waitFor(() => expect(quantity).toHaveAccessibleDescription(/La cantidad es 0/));
  expect(sent).toEqual([]);
  await save();
  await waitFor(() => expect(sent).toMatchObject([{ items: [{ quantity: 0 }] }]));
});

it('keeps the focus in the field in which a patient was chosen', async () => {
  serveForm([], { ...theForm, blank: true, sheet: null });
  await render({ at: '/consumption-sheets/forms/4' }, { user: aNurse() });
  await userEvent.type(await screen.findByRole('combobox', { name: /Paciente/ }), 'Quispe');
  await screen.findByRole('option', { name: /Quispe/ });
  await userEvent.keyboard('{Enter}');
  const field = screen.getByRole('combobox', { name: /Paciente/ });
  await waitFor(() => expect((field as HTMLInputElement).value).toMatch(/Quispe/));
  await delay(50);
  expect(screen.getByRole('combobox', { name: /Paciente/ })).toHaveFocus();
});

it('sends nothing before patient, time and a quantity are there', async () => {
  const sent = serveForm();
  await render({ at: '/consumption-sheets/forms/4' }, { user: aNurse() });
  await quantityOf(nameAndCode(gauze));
  await save();
  expect(await screen.findByText('Escriba al menos una cantidad.')).toBeVisible();
  expect(sent).toEqual([]);
});

it('shows a refusal at its line, and keeps everything that was typed', async () => {
  const sent = serveForm([() => refusal('items.1.quantity', 'Hasta 0 decimales.')]);
  await open();
  await userEvent.type(await quantityOf(nameAndCode(gauze)), '3');
  await userEvent.type(await quantityOf(nameAndCode(glove)), '0,5');
  await save();
  const refused = await quantityOf(nameAndCode(glove));
  await waitFor(() => expect(refused).toHaveAccessibleDescription('Hasta 0 decimales.'));
  expect(refused).toHaveValue('0,5');
  await waitFor(() => expect(refused).toHaveFocus());
  expect(await quantityOf(nameAndCode(gauze))).toHaveValue('3');
  await userEvent.clear(refused);
  await userEvent.type(refused, '1');
  await save();
  await waitFor(() => expect(sent.at(-1)?.items).toMatchObject([{ quantity: 3 }, { quantity: 1 }]));
});

it('says who recorded the form if another user was first', async () => {
  const text = 'Luis Mora registró la hoja de contingencia 4.';
  const sent = serveForm([() => refusal(null, text, false, 'form.recorded')]);
  await open();
  await userEvent.type(await quantityOf(nameAndCode(gauze)), '3');
  await save();
  expect(await screen.findByText(text)).toBeVisible();
  expect(await quantityOf(nameAndCode(gauze))).toHaveValue('3');
  expect(sent).toHaveLength(1);
});

it('shows by whom a form is recorded instead of its fields', async () => {
  const decided = { decided_by: 'Luis Mora', decided_at: '2026-11-20T10:00:00Z', recorded_sheet_id: 1 };
  serveForm([], { ...theForm, ...decided, state: 'recorded' });
  await render({ at: '/consumption-sheets/forms/4' }, { user: aNurse() });
  expect(await screen.findByText(/Luis Mora/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Guardar' })).toBeNull();
});

describe('a scanned pack', () => {
  it('is recorded with its lot, another one as a line of its own', async () => {
    const sent = serveForm();
    serveScans({ SCANONE1: pack({ lot: 'L-1' }), SCANTWO2: pack({ lot: 'L-2', expiry: '2027-08-31' }) });
    await open();
    await userEvent.click(document.body);
    await scan('SCANONE1');
    const first = await quantityOf(`${nameAndCode(gauze)}, Lote L-1`);
    await waitFor(() => expect(first).toHaveFocus());
    await userEvent.type(first, '3');
    await userEvent.click(document.body);
    await scan('SCANTWO2');
    const second = await quantityOf(`${nameAndCode(gauze)}, Lote L-2`);
    // Without a quantity its lot would be lost.
    await save();
    await waitFor(() => expect(second).toHaveAccessibleDescription(/Escriba la cantidad/));
    expect(sent).toEqual([]);
    await userEvent.type(second, '2');
    await save();
    await waitFor(() =>
      expect(sent[0]?.items).toEqual([
        { product_id: gauze.id, quantity: 3, lot: 'L-1', gtin: '09520000001483' },
        { product_id: gauze.id, quantity: 2, lot: 'L-2', expiry: '2027-08-31', gtin: '09520000001483' },
      ]),
    );
  });

  it('of a recalled lot is recorded with a reason, the other lines without', async () => {
    const question = () =>
      refusal('items.0.lot', 'Retirado el 1 nov 2026: puntas rotas', true, 'lot.recalled', 4);
    const sent = serveForm([question]);
    serveScans({ SCANONE1: pack({ lot: 'L-1' }) });
    await open();
    await userEvent.click(document.body);
    await scan('SCANONE1');
    await userEvent.type(await quantityOf(`${nameAndCode(gauze)}, Lote L-1`), '3');
    await userEvent.type(await quantityOf(nameAndCode(glove)), '1');
    await save();
    expect(
      await screen.findByText(`${nameAndCode(gauze)}: Retirado el 1 nov 2026: puntas rotas`),
    ).toBeVisible();
    await save('Guardar de todos modos');
    const dialog = within(await screen.findByRole('dialog', { name: '¿Registrar aunque está retirado?' }));
    // Without a reason nothing is sent.
    await userEvent.click(dialog.getByRole('button', { name: 'Registrar de todos modos' }));
    expect(sent).toHaveLength(1);
    await userEvent.type(dialog.getByRole('textbox', { name: 'Motivo' }), 'era el último');
    await userEvent.click(dialog.getByRole('button', { name: 'Registrar de todos modos' }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toMatchObject({ acknowledged: ['lot.recalled'] });
    expect(sent[1]?.items).toEqual([
      {
        product_id: gauze.id,
        quantity: 3,
        lot: 'L-1',
        gtin: '09520000001483',
        recall_reason: 'era el último',
      },
      { product_id: glove.id, quantity: 1 },
    ]);
  });
});

it('takes the lot and serial number of an implant from the paper', async () => {
  const text = `«${glove.name}» es un implante.`;
  const sent = serveForm([() => refusal('items.0.lot', text, true, 'implant.incomplete')]);
  await open();
  await userEvent.type(await quantityOf(nameAndCode(glove)), '1');
  await save();
  await userEvent.type(await screen.findByRole('textbox', { name: `Lote: ${nameAndCode(glove)}` }), 'L-9');
  await userEvent.type(
    screen.getByRole('textbox', { name: `Número de serie: ${nameAndCode(glove)}` }),
    'S-9',
  );
  await save();
  await waitFor(() =>
    expect(sent[1]?.items).toEqual([{ product_id: glove.id, quantity: 1, lot: 'L-9', serial: 'S-9' }]),
  );
});

it('is left for the owner of a scanned badge', async () => {
  const former = window.isSecureContext;
  vi.stubGlobal('isSecureContext', true);
  onTestFinished(() => void vi.stubGlobal('isSecureContext', former));
  serveForm();
  server.use(
    http.get('/api/products/lookup', () =>
      HttpResponse.json({ reading: null, matches: [], people: [], label: null }),
    ),
    http.post('/api/auth/nonce', () => HttpResponse.json({ nonce: 'n' }, { status: 201 })),
    http.post('/api/auth/badge', () => HttpResponse.json({ user_id: 9 })),
    http.post('/api/auth/lock', () => new HttpResponse(null, { status: 204 })),
  );
  await publicKey();
  const { store } = await render(
    { at: '/consumption-sheets/forms/4' },
    { user: aNurse({ quick_unlock: true }) },
  );
  await quantityOf(nameAndCode(gauze));
  act(() => {
    store.dispatch(deviceBound(store.getState().session.token ?? ''));
  });
  (document.activeElement as HTMLElement).blur();
  await scan('98765432');
  await waitFor(() => expect(store.getState().session).toMatchObject({ locked: true, badgeOf: 9 }));
});
