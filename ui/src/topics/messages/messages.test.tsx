import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { anAdministrator, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';
import InboundMessagesPage from './InboundMessagesPage';
import { mayNameSheet, mayOpenSheet, missingReference } from './questions';

const held = {
  id: 71,
  source: 'HIS|HOSPITAL',
  control_id: '118',
  kind: 'A01',
  event_at: '2026-11-20T14:05:00Z',
  received_at: '2026-11-20T14:05:01Z',
  state: 'held',
  code: 'location.unknown',
  field: null,
  params: { location: 'UCI^201^B' },
  why: 'Cama UCI^201^B desconocida: indique qué habitación es.',
  visit_number: 'V-1',
  record_number: 'EXP-1',
  location: 'UCI^201^B',
  consumption_sheet_id: null,
  patient_id: null,
  tries: 1,
  decided_by: null,
  decided_at: null,
  note: null,
};

it('shows why a message is held, and its fields on request only', async () => {
  const read: string[] = [];
  server.use(
    http.get('/api/inbound-messages', ({ request }) => {
      expect(new URL(request.url).searchParams.get('state')).toBe('held');
      return HttpResponse.json({ items: [held], next: null, held: 1, reasons: [] });
    }),
    http.get('/api/inbound-messages/71', () => {
      read.push('71');
      return HttpResponse.json({ ...held, fields: [{ place: 'PID-5', value: 'Paz^Ana' }] });
    }),
  );
  await render(<InboundMessagesPage />, { user: anAdministrator() });
  const message = within(await screen.findByRole('article', { name: 'A01 · Ingreso' }));
  expect(message.getByText(held.why)).toBeVisible();
  expect(read).toEqual([]);
  await userEvent.click(message.getByRole('button', { name: 'Ver contenido' }));
  expect(await message.findByRole('rowheader', { name: 'PID-5' })).toBeVisible();
  expect(read).toEqual(['71']);
});

it('dismisses with a reason', async () => {
  const sent: unknown[] = [];
  server.use(
    http.get('/api/inbound-messages', () =>
      HttpResponse.json({ items: [held], next: null, held: 1, reasons: [] }),
    ),
    http.post('/api/inbound-messages/71/dismiss', async ({ request }) => {
      sent.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await render(<InboundMessagesPage />, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('button', { name: 'Descartar…' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Guardar' }));
  expect(sent).toEqual([]);
  await userEvent.type(dialog.getByRole('textbox'), 'De prueba');
  await userEvent.click(dialog.getByRole('button', { name: 'Guardar' }));
  await waitFor(() => expect(sent).toEqual([{ reason: 'De prueba' }]));
});

it('links to the patients that a message may be about', async () => {
  const code = 'message.patient_unclear';
  const unclear = { ...held, code, params: { patients: '12, 15' } };
  server.use(
    http.get('/api/inbound-messages', () =>
      HttpResponse.json({ items: [unclear], next: null, held: 1, reasons: [] }),
    ),
  );
  await render(<InboundMessagesPage />, { user: anAdministrator() });
  const first = await screen.findByRole('link', { name: 'Paciente 12' });
  expect(first).toHaveAttribute('href', '/patients/12');
  expect(screen.getByRole('link', { name: 'Paciente 15' })).toHaveAttribute('href', '/patients/15');
  expect(screen.getByRole('button', { name: 'Es el paciente…' })).toBeVisible();
});

it('hides decisions from read-only users', async () => {
  server.use(
    http.get('/api/inbound-messages', () =>
      HttpResponse.json({ items: [held], next: null, held: 1, reasons: [] }),
    ),
  );
  await render(<InboundMessagesPage />, { user: aSupervisor() });
  expect(await screen.findByRole('button', { name: 'Ver contenido' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Es la habitación…' })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

const discharge = { ...held, id: 72, kind: 'A03', code: 'visit.unknown', why: 'Aún no llegó su ingreso.' };
const reasons = [
  { code: 'location.unknown', messages: 41 },
  { code: 'visit.unknown', messages: 2 },
  { code: 'brand.new', messages: 1 },
];

/** Serve a list with two held messages, and keep the queries. */
function serveTwo() {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('/api/inbound-messages', ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      const items = [held, discharge].filter(({ code }) => [null, code].includes(query.get('reason')));
      return HttpResponse.json({ items, next: null, held: 44, reasons });
    }),
  );
  return asked;
}

it('filters held messages by a reason, with their number', async () => {
  const asked = serveTwo();
  const { router } = await render(<InboundMessagesPage />, { user: anAdministrator() });
  const chip = await screen.findByRole('button', { name: 'Habitación desconocida 41' });
  expect(screen.getByRole('button', { name: 'Otro motivo (brand.new) 1' })).toBeVisible();
  await userEvent.click(chip);
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
  expect(chip).toHaveFocus();
  expect(router.state.location.search).toBe('?reason=location.unknown');
  expect(screen.getByRole('button', { name: 'Habitación desconocida 41' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Habitación desconocida 41' }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
  expect(asked.map((query) => query.get('state'))).toEqual(asked.map(() => 'held'));
});

it('searches and filters by event', async () => {
  const asked = serveTwo();
  const { router } = await render(<InboundMessagesPage />, { user: anAdministrator() });
  await userEvent.type(await screen.findByRole('searchbox'), 'V-1');
  await waitFor(() => expect(asked.at(-1)?.get('q')).toBe('V-1'));
  const [kind] = screen.getAllByRole('combobox', { name: 'Evento', hidden: true });
  await userEvent.selectOptions(kind as HTMLElement, 'A08 · Datos corregidos');
  await waitFor(() => expect(asked.at(-1)?.get('kind')).toBe('A08'));
  expect(router.state.location.search).toBe('?q=V-1&kind=A08');
});

it('lists settled messages by their state', async () => {
  const asked = serveTwo();
  const { router } = await render(<InboundMessagesPage />, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('link', { name: 'Todos' }));
  await waitFor(() => expect(asked.at(-1)?.get('state')).toBeNull());
  await waitFor(() => expect(screen.queryByRole('button', { name: /Habitación desconocida/ })).toBeNull());
  const [state] = screen.getAllByRole('combobox', { name: 'Estado', hidden: true });
  await userEvent.selectOptions(state as HTMLElement, 'Sin efecto');
  await waitFor(() => expect(asked.at(-1)?.get('state')).toBe('ignored'));
  expect(router.state.location.search).toBe('?list=all&state=ignored');
});

it('continues a search that has found nothing yet', async () => {
  const asked: (string | null)[] = [];
  server.use(
    http.get('/api/inbound-messages', ({ request }) => {
      const after = new URL(request.url).searchParams.get('after');
      asked.push(after);
      const next = after ? null : 500;
      return HttpResponse.json({ items: next ? [] : [held], next, held: 1, reasons: [] });
    }),
  );
  await render({ at: '/messages?list=all&q=V-1' }, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('link', { name: 'Seguir buscando' }));
  expect(await screen.findByRole('article')).toBeVisible();
  expect(asked.at(-1)).toBe('500');
});

it('retries the marked messages and reports the result', async () => {
  const sent: unknown[] = [];
  serveTwo();
  server.use(
    http.post('/api/inbound-messages/retry', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ done: 1, held: 0, decided: 1 });
    }),
  );
  await render(<InboundMessagesPage />, { user: anAdministrator() });
  const all = await screen.findByRole('checkbox', { name: 'Marcar todos' });
  const [first] = screen.getAllByRole('checkbox', { name: 'Marcar el mensaje' });
  await userEvent.click(first as HTMLElement);
  expect(screen.getByRole('button', { name: 'Reintentar (1)' })).toBeVisible();
  await userEvent.click(all);
  await userEvent.click(screen.getByRole('button', { name: 'Reintentar (2)' }));
  expect(await screen.findByText('1 mensaje resuelto · 1 ya se había atendido')).toBeVisible();
  expect(sent).toEqual([{ ids: [71, 72] }]);
  expect(screen.queryByRole('region', { name: 'Mensajes marcados' })).toBeNull();
  expect(all).toHaveFocus();
});

it('dismisses the marked messages with one reason', async () => {
  const sent: unknown[] = [];
  serveTwo();
  server.use(
    http.post('/api/inbound-messages/dismiss', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ done: 2, held: 0, decided: 0 });
    }),
  );
  await render(<InboundMessagesPage />, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Marcar todos' }));
  await userEvent.click(screen.getByRole('button', { name: 'Descartar (2)…' }));
  const dialog = within(await screen.findByRole('dialog', { name: '¿Descartar los mensajes marcados (2)?' }));
  await userEvent.type(dialog.getByRole('textbox'), 'De prueba');
  await userEvent.click(dialog.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('2 mensajes descartados')).toBeVisible();
  expect(sent).toEqual([{ ids: [71, 72], reason: 'De prueba' }]);
});

it('decides only about marked messages in view', async () => {
  serveTwo();
  await render(<InboundMessagesPage />, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Marcar todos' }));
  await userEvent.click(screen.getByRole('button', { name: 'Habitación desconocida 41' }));
  expect(await screen.findByRole('button', { name: 'Reintentar (1)' })).toBeVisible();
});

it('lists refused messages without decisions', async () => {
  const refused = { ...held, state: 'refused', kind: '', control_id: '', source: '|', tries: 3 };
  const asked: (string | null)[] = [];
  server.use(
    http.get('/api/inbound-messages', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('state'));
      return HttpResponse.json({ items: [refused], next: null, held: 0, reasons: [] });
    }),
  );
  const { router } = await render(<InboundMessagesPage />, { user: anAdministrator() });
  await router.navigate('/?list=refused');
  await waitFor(() => expect(asked.at(-1)).toBe('refused'));
  const message = within(await screen.findByRole('article', { name: 'Mensaje sin evento' }));
  expect(message.getByText(/llegó 3 veces$/)).toBeVisible();
  expect(message.queryByRole('button')).toBeNull();
});

/** Serve one held message, and keep the answer to it. */
function serveOne(change: object, path: string) {
  const sent: unknown[] = [];
  server.use(
    http.get('/api/inbound-messages', () =>
      HttpResponse.json({ items: [{ ...held, ...change }], next: null, held: 1, reasons: [] }),
    ),
    http.get('/api/rooms', () =>
      HttpResponse.json(aPage([{ id: 5, name: '201', area: { id: 2, name: 'UCI' } }])),
    ),
    http.post(`/api/inbound-messages/71/${path}`, async ({ request }) => {
      sent.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

it.each([
  ['a known one', { code: 'visit.unknown' }, false],
  ['none', { code: 'visit.unknown', location: null }, true],
  ['an unknown one', { code: 'location.unknown' }, true],
])('opens a sheet with a message whose location is %s', async (_, change, asksRoom) => {
  const sent = serveOne(change, 'open');
  await render(<InboundMessagesPage />, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('button', { name: 'Abrir hoja con este mensaje' }));
  const dialog = within(await screen.findByRole('dialog'));
  if (asksRoom) {
    await userEvent.click(dialog.getByRole('button', { name: 'Abrir hoja' }));
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole('combobox', { name: /Habitación/ }));
    await userEvent.click(await screen.findByRole('option', { name: /201/ }));
  } else expect(dialog.queryByRole('combobox')).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Abrir hoja' }));
  await waitFor(() => expect(sent).toEqual([asksRoom ? { room_id: 5 } : {}]));
});

it('gives the visit to a sheet without one, those of the patient first', async () => {
  const sent = serveOne({ code: 'visit.unknown' }, 'sheet');
  const [other, own] = [
    aSheet({ id: 8, room: { id: 1, name: '101', area_id: 1 } }),
    aSheet({ id: 9, room: { id: 2, name: '102', area_id: 1 } }),
  ];
  server.use(
    http.get('/api/consumption-sheets', ({ request }) => {
      const query = new URL(request.url).searchParams;
      expect(query.get('without_visit')).toBe('true');
      return HttpResponse.json(aPage(query.get('q') === 'EXP-1' ? [own] : [other, own]));
    }),
  );
  await render(<InboundMessagesPage />, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('button', { name: 'Es la hoja…' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('combobox', { name: /Hoja abierta/ }));
  const options = await within(await screen.findByRole('listbox')).findAllByRole('option');
  expect(options.map((one) => one.textContent)).toEqual([
    expect.stringContaining('102'),
    expect.stringContaining('101'),
  ]);
  await userEvent.click(options[0] as HTMLElement);
  await userEvent.click(dialog.getByRole('button', { name: 'Guardar' }));
  await waitFor(() => expect(sent).toEqual([{ consumption_sheet_id: 9 }]));
});

it('answers the room of a message without location for this message alone', async () => {
  const sent = serveOne({ code: 'location.missing', location: null }, 'room');
  await render(<InboundMessagesPage />, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('button', { name: 'Es la habitación…' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/vale solo para este mensaje/)).toBeVisible();
  await userEvent.click(dialog.getByRole('combobox', { name: /Habitación/ }));
  await userEvent.click(await screen.findByRole('option', { name: /201/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Guardar' }));
  await waitFor(() => expect(sent).toEqual([{ room_id: 5 }]));
});

it.each([
  ['visit.unknown', 'V-1', true, true],
  ['visit.missing', null, false, true],
  ['message.sheet_unclear', 'V-1', true, false],
  ['message.surnames_unclear', 'V-1', false, false],
])('offers the sheets that can answer %s', (code, visit_number, named, opened) => {
  expect(mayNameSheet({ code, visit_number })).toBe(named);
  expect(mayOpenSheet({ code })).toBe(opened);
});

it.each([
  ['location.unknown', 'room'],
  ['location.missing', 'room'],
  ['visit.of_another', 'patient'],
  ['record_number.missing', 'patient'],
  ['message.patient_unclear', 'patient'],
  ['visit.unknown', null],
  [null, null],
])('asks for the missing reference: %s', (code, asked) => {
  expect(missingReference({ code })).toBe(asked);
});
