import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { refusal } from '@/test/ward';
import { PrintLabelsButton } from './PrintLabelsButton';

beforeEach(() => {
  URL.createObjectURL = () => 'blob:labels';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
});

/** Answer with labels, and collect the forms. */
function serveLabels(
  answer = (): Response => new HttpResponse('%PDF', { headers: { 'Content-Type': 'application/pdf' } }),
) {
  const sent: unknown[] = [];
  server.use(
    http.post('/api/labels', async ({ request }) => {
      sent.push(await request.json());
      return answer();
    }),
  );
  return sent;
}

const gauze = { id: 8, name: 'Gasa' };

it('prints what was chosen, and remembers the size', async () => {
  const sent = serveLabels();
  await render(<PrintLabelsButton what="product" items={[gauze]} />, { user: aNurse() });
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Imprimir etiquetas' }));
  await user.selectOptions(await screen.findByLabelText('Tamaño'), 'Hoja A4 de 3 × 8 etiquetas');
  await user.clear(screen.getByLabelText(/Copias/));
  await user.type(screen.getByLabelText(/Copias/), '3');
  await user.clear(screen.getByLabelText(/Primera etiqueta libre/));
  await user.type(screen.getByLabelText(/Primera etiqueta libre/), '25');
  const print = screen.getByRole('button', { name: 'Imprimir' });
  await user.click(print);
  expect(screen.getByText('Escriba un número del 1 al 24.')).toBeVisible();
  await user.clear(screen.getByLabelText(/Primera etiqueta libre/));
  await user.type(screen.getByLabelText(/Primera etiqueta libre/), '5');
  await user.click(print);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const form = {
    what: 'product',
    items: [{ id: 8, copies: 3 }],
    size: 'a4-3x8',
    symbol: 'auto',
    start_at: 5,
  };
  expect(sent).toEqual([form]);
  await user.click(screen.getByRole('button', { name: 'Imprimir etiquetas' }));
  expect(await screen.findByLabelText('Tamaño')).toHaveValue('a4-3x8');
  await user.click(screen.getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('prints a wristband of the same patient', async () => {
  const sent = serveLabels();
  await render(<PrintLabelsButton what="patient" items={[{ id: 3, name: 'Ana Vega' }]} />, {
    user: aNurse(),
  });
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Imprimir etiquetas' }));
  await user.selectOptions(await screen.findByLabelText('Tamaño'), 'Pulsera de niño, 25 × 178 mm');
  await user.click(screen.getByRole('button', { name: 'Imprimir' }));
  await waitFor(() => expect(sent).toMatchObject([{ what: 'band', size: 'band-child' }]));
});

it('keeps the dialog when the server refuses', async () => {
  serveLabels(() => refusal('items.0.id', 'Elija otro valor: ese no existe.'));
  await render(<PrintLabelsButton what="product" items={[gauze]} />, { user: aNurse() });
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Imprimir etiquetas' }));
  await user.click(await screen.findByRole('button', { name: 'Imprimir' }));
  expect(await screen.findByText(/ese no existe/)).toBeVisible();
  expect(screen.getByRole('dialog')).toBeVisible();
});
