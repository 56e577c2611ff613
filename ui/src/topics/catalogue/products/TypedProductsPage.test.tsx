import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

const product = (id: number, name: string) => ({ id, name, code: `C-${id}`, unit: null, active: true });
const ITEMS = [
  { product: product(1, 'Sonda'), area: { id: 7, name: 'UCI' }, typed: 9, scanned: 2 },
  { product: product(2, 'Venda'), area: null, typed: 4, scanned: 0 },
  { product: product(1, 'Sonda'), area: { id: 8, name: 'Cirugía' }, typed: 1, scanned: 5 },
];

async function open(items = ITEMS) {
  const asked: (string | null)[] = [];
  server.use(
    http.get('/api/products/typed', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('weeks'));
      return HttpResponse.json({ since: '2026-05-01', items });
    }),
  );
  await render({ at: '/products/typed' }, { user: aSupervisor() });
  await screen.findByLabelText('Período');
  return asked;
}

it('lists products by area, and asks for another period', async () => {
  const asked = await open();
  const table = await screen.findByRole('table', { name: 'Lo que más se teclea' });
  expect(await within(table).findAllByRole('link')).toHaveLength(3);
  await userEvent.selectOptions(screen.getByLabelText('Período'), 'Últimas 12 semanas');
  await screen.findByDisplayValue('Últimas 12 semanas');
  expect(asked).toEqual(['4', '12']);
  await userEvent.selectOptions(screen.getByLabelText('Área'), 'UCI');
  expect(within(table).getAllByRole('link')).toHaveLength(1);
});

it('prints the labels of the listed products, each once', async () => {
  URL.createObjectURL = () => 'blob:labels';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const sent: unknown[] = [];
  server.use(
    http.post('/api/labels', async ({ request }) => {
      sent.push(await request.json());
      return new HttpResponse('%PDF', { headers: { 'Content-Type': 'application/pdf' } });
    }),
  );
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Imprimir etiquetas' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Imprimir' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toMatchObject([
    {
      what: 'product',
      items: [
        { id: 1, copies: 1 },
        { id: 2, copies: 1 },
      ],
    },
  ]);
});

it('says that nothing needs a label', async () => {
  await open([]);
  expect(await screen.findByText('Nada que etiquetar')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Imprimir etiquetas' })).toBeDisabled();
});
