import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { anAdministrator, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import InboundMessagesPage from './InboundMessagesPage';
import { missingReference } from './questions';

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
      return HttpResponse.json({ items: [held], next: null, held: 1 });
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
    http.get('/api/inbound-messages', () => HttpResponse.json({ items: [held], next: null, held: 1 })),
    http.post('/api/inbound-messages/71/dismiss', async ({ request }) => {
      sent.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await render(<InboundMessagesPage />, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('button', { name: 'Descartar…' }));
  const dialog = within(await screen.findByRole('dialog', {}, { timeout: 10_000 }));
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
    http.get('/api/inbound-messages', () => HttpResponse.json({ items: [unclear], next: null, held: 1 })),
  );
  await render(<InboundMessagesPage />, { user: anAdministrator() });
  const first = await screen.findByRole('link', { name: 'Paciente 12' });
  expect(first).toHaveAttribute('href', '/patients/12');
  expect(screen.getByRole('link', { name: 'Paciente 15' })).toHaveAttribute('href', '/patients/15');
  expect(screen.getByRole('button', { name: 'Es el paciente…' })).toBeVisible();
});

it('hides decisions from read-only users', async () => {
  server.use(
    http.get('/api/inbound-messages', () => HttpResponse.json({ items: [held], next: null, held: 1 })),
  );
  await render(<InboundMessagesPage />, { user: aSupervisor() });
  expect(await screen.findByRole('button', { name: 'Ver contenido' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Es la habitación…' })).toBeNull();
});

it.each([
  ['location.unknown', 'room'],
  ['visit.of_another', 'patient'],
  ['record_number.missing', 'patient'],
  ['message.patient_unclear', 'patient'],
  ['visit.unknown', null],
  [null, null],
])('asks for the missing reference: %s', (code, asked) => {
  expect(missingReference({ code })).toBe(asked);
});
