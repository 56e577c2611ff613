import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { OutboundMessageView } from '@/api/generated';
import { aNurse, anAdministrator, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const dead: OutboundMessageView = {
  id: 12,
  control_id: '7.1.1',
  consumption_sheet_id: 7,
  charges: 24,
  state: 'dead',
  tries: 1,
  problem: 'AR: expediente desconocido',
  created_at: '2026-11-20T14:05:00Z',
  next_try_at: null,
  sent_at: null,
  decided_by: null,
  reason: null,
};
const shown: Record<string, OutboundMessageView[]> = {
  dead: [dead],
  waiting: [
    { ...dead, id: 13, state: 'waiting', problem: null, tries: 0, next_try_at: '2026-11-20T14:05:00Z' },
    {
      ...dead,
      id: 14,
      consumption_sheet_id: 8,
      state: 'waiting',
      problem: 'Connection refused',
      next_try_at: '2026-11-20T14:07:30Z',
    },
  ],
  sent: [
    {
      ...dead,
      id: 15,
      state: 'sent',
      problem: null,
      sent_at: '2026-11-20T14:06:00Z',
      decided_by: 'admin@consumo.test',
      reason: 'Se digitó',
    },
  ],
};

/** Serve the messages, and collect the requests. */
function serveMessages() {
  const sent: { path: string; body: unknown }[] = [];
  server.use(
    http.get('/api/outbound-messages', ({ request }) =>
      HttpResponse.json(aPage(shown[new URL(request.url).searchParams.get('state') ?? ''] ?? [])),
    ),
    http.get('/api/outbound-messages/12', () =>
      HttpResponse.json({ ...dead, body: 'MSH|^~\\&|CONSUMO\rPID|1||HC-1\r' }),
    ),
    http.post('/api/outbound-messages/:id/:what', async ({ request }) => {
      const text = await request.text();
      sent.push({ path: new URL(request.url).pathname, body: text ? JSON.parse(text) : null });
      return HttpResponse.json({ ...dead, state: 'waiting' });
    }),
  );
  return sent;
}

const at = '/messages/outbound';

it('shows dead messages first, with the answer of billing', async () => {
  serveMessages();
  await render({ at }, { user: aSupervisor() });
  const [row] = await within(
    await screen.findByRole('list', { name: 'Mensajes a facturación' }),
  ).findAllByRole('listitem');
  expect(row).toHaveTextContent('AR: expediente desconocido');
  expect(row).toHaveTextContent('24 cargos');
  expect(screen.getByRole('link', { name: 'Hoja 7' })).toHaveAttribute('href', '/consumption-sheets/7');
  // A supervisor may see it, but only an administrator decides.
  expect(screen.queryByRole('button', { name: 'Reintentar' })).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'En espera' }));
  expect(await screen.findByText('Connection refused')).toBeVisible();
  expect(screen.getByText('Se enviará en un momento')).toBeVisible();
  await userEvent.click(screen.getByRole('link', { name: 'Enviados' }));
  expect(
    await screen.findByText('admin@consumo.test lo dio por enviado el 20 nov 2026, 14:06: Se digitó'),
  ).toBeVisible();
});

it('retries a message', async () => {
  const sent = serveMessages();
  await render({ at }, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('button', { name: 'Reintentar' }));
  expect(await screen.findByText('Se enviará de nuevo en un momento')).toBeVisible();
  expect(sent).toEqual([{ path: '/api/outbound-messages/12/retry', body: null }]);
});

it('marks a message as sent, with a reason', async () => {
  const sent = serveMessages();
  await render({ at }, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('button', { name: 'Dar por enviado…' }));
  const dialog = await screen.findByRole('dialog', { name: '¿Dar este mensaje por enviado?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Dar por enviado' }));
  const reason = within(dialog).getByRole('textbox', { name: 'Motivo' });
  await waitFor(() => expect(reason).toHaveAccessibleDescription(/obligatorio/));
  expect(sent).toEqual([]);
  await userEvent.type(reason, 'Se digitó a mano');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Dar por enviado' }));
  expect(await screen.findByText('Mensaje dado por enviado')).toBeVisible();
  expect(sent).toEqual([{ path: '/api/outbound-messages/12/settle', body: { reason: 'Se digitó a mano' } }]);
});

it('shows a message segment by segment', async () => {
  serveMessages();
  await render({ at }, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('button', { name: 'Ver' }));
  const dialog = await screen.findByRole('dialog', { name: 'Mensaje 7.1.1' });
  expect(await within(dialog).findByText(/MSH/)).toHaveTextContent('MSH|^~\\&|CONSUMO PID|1||HC-1');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cerrar' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('is not available to ward staff', async () => {
  serveMessages();
  await render({ at }, { user: aNurse() });
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
});
