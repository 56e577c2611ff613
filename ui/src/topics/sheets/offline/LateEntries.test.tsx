import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { ConfirmProvider } from '@/shared/dialogs/Confirm';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aSheet } from '@/test/sheets';
import LateEntries from './LateEntries';

const late = {
  id: 5,
  consumption_sheet_id: 1,
  items: [
    { product_id: 9, product: 'Guante de nitrilo', quantity: 3, lot: 'L-1', expiry: null, serial: null },
  ],
  kit_id: null,
  occurred_at: '2026-11-21T09:40:00Z',
  arrived_at: '2026-11-21T19:00:00Z',
  user_id: 3,
  by: 'Lucía Paredes',
  decision: null,
  decided_at: null,
  decided_by: null,
  reason: null,
};

it('records on a reopened sheet after asking its questions', async () => {
  const sent: unknown[] = [];
  server.use(
    http.get('/api/consumption-sheets/1/late-entries', () => HttpResponse.json({ items: [late] })),
    http.post('/api/late-entries/5/record', async ({ request }) => {
      sent.push(await request.json());
      if (sent.length > 1) return HttpResponse.json({ ...late, decision: 'recorded' });
      const message = 'El lote venció.';
      const error = { field: 'items.0.expiry', code: 'lot.expired', message, acknowledgeable: true };
      return HttpResponse.json({ message: [message], errors: [error] }, { status: 422 });
    }),
  );
  await render(
    <ConfirmProvider>
      <LateEntries sheet={aSheet({ late_entries: 1 })} />
    </ConfirmProvider>,
    { user: aSupervisor() },
  );
  const panel = within(await screen.findByRole('region', { name: '1 línea llegó tarde' }));
  await userEvent.click(panel.getByRole('button', { name: 'Registrar' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('El lote venció.')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Registrar' }));
  await waitFor(() => expect(sent).toEqual([{ acknowledged: [] }, { acknowledged: ['lot.expired'] }]));
});

it('asks for a reason before a recalled lot is recorded', async () => {
  const sent: { recall_reason?: string }[] = [];
  server.use(
    http.get('/api/consumption-sheets/1/late-entries', () => HttpResponse.json({ items: [late] })),
    http.post('/api/late-entries/5/record', async ({ request }) => {
      sent.push((await request.json()) as { recall_reason?: string });
      if (sent.length > 1) return HttpResponse.json({ ...late, decision: 'recorded' });
      const error = {
        field: 'items.0.lot',
        code: 'lot.recalled',
        message: 'Retirado.',
        acknowledgeable: true,
      };
      return HttpResponse.json({ errors: [{ ...error, recall_id: 4 }] }, { status: 422 });
    }),
  );
  await render(
    <ConfirmProvider>
      <LateEntries sheet={aSheet({ late_entries: 1 })} />
    </ConfirmProvider>,
    { user: aSupervisor() },
  );
  const panel = within(await screen.findByRole('region', { name: '1 línea llegó tarde' }));
  await userEvent.click(panel.getByRole('button', { name: 'Registrar' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Motivo' }), 'era el último');
  await userEvent.click(dialog.getByRole('button', { name: 'Registrar de todos modos' }));
  const answer = { acknowledged: ['lot.recalled'], recall_reason: 'era el último' };
  await waitFor(() => expect(sent).toEqual([{ acknowledged: [] }, answer]));
});

it('shows the questions before recording', async () => {
  const errors = ['Línea 1: El lote está retirado: Empaque.', 'Línea 2: El lote venció.'].map((message) => ({
    field: 'items.0.lot',
    code: 'lot.recalled',
    message,
    acknowledgeable: true,
  }));
  server.use(
    http.get('/api/consumption-sheets/1/late-entries', () =>
      HttpResponse.json({ items: [{ ...late, errors }] }),
    ),
  );
  await render(
    <ConfirmProvider>
      <LateEntries sheet={aSheet({ late_entries: 1 })} />
    </ConfirmProvider>,
    { user: aSupervisor() },
  );
  const shown = (await screen.findAllByRole('alert')).map(({ textContent }) => textContent);
  expect(shown).toEqual(errors.map(({ message }) => message));
});
