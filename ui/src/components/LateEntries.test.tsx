import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aSheet } from '@/test/sheets';
import { ConfirmProvider } from './Confirm';
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

it('records on a sheet that is open again, after asking what there is to ask', async () => {
  const sent: unknown[] = [];
  server.use(
    http.get('/api/consumption-sheets/1/late-entries', () => HttpResponse.json({ items: [late] })),
    http.post('/api/late-entries/5/record', async ({ request }) => {
      sent.push(await request.json());
      if (sent.length > 1) return HttpResponse.json({ ...late, decision: 'recorded' });
      const message = 'El lote está retirado: Empaque.';
      const error = { field: 'items.0.lot', code: 'lot.recalled', message, acknowledgeable: true };
      return HttpResponse.json({ message: [message], errors: [error] }, { status: 422 });
    }),
  );
  await render(
    <ConfirmProvider>
      <LateEntries sheet={aSheet({ late_entries: 1 })} />
    </ConfirmProvider>,
    { user: aSupervisor() },
  );
  const panel = within(await screen.findByRole('region', { name: '1 entrada llegó tarde' }));
  await userEvent.click(panel.getByRole('button', { name: 'Registrar' }));
  const dialog = within(await screen.findByRole('dialog', {}, { timeout: 10_000 }));
  expect(dialog.getByText('El lote está retirado: Empaque.')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Registrar' }));
  await waitFor(() => expect(sent).toEqual([{ acknowledged: [] }, { acknowledged: ['lot.recalled'] }]));
});

it('shows what recording will be asked, and of which product', async () => {
  const [item] = late.items;
  const several = {
    ...late,
    items: [item, { ...item, product_id: 8, product: 'Venda', lot: 'V-1' }],
    errors: [
      {
        field: 'items.0.occurred_at',
        code: 'moment.before_admission',
        message: 'Antes del ingreso.',
        acknowledgeable: true,
      },
      {
        field: 'items.1.lot',
        code: 'lot.recalled',
        message: 'El lote está retirado: Empaque.',
        acknowledgeable: true,
      },
    ],
  };
  server.use(
    http.get('/api/consumption-sheets/1/late-entries', () => HttpResponse.json({ items: [several] })),
  );
  await render(
    <ConfirmProvider>
      <LateEntries sheet={aSheet({ late_entries: 1 })} />
    </ConfirmProvider>,
    { user: aSupervisor() },
  );
  const shown = (await screen.findAllByRole('alert')).map(({ textContent }) => textContent);
  expect(shown).toEqual(['Guante de nitrilo: Antes del ingreso.', 'Venda: El lote está retirado: Empaque.']);
});
