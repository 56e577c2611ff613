import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { KitReviewItemView, KitReviewView, KitView } from '@/api/generated';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';
import { withChanges } from './kitProposals';

const product = (id: number, name: string) => ({ id, code: null, name, unit: null, active: true });
const catheter = product(8, 'Catéter');
const valve = product(9, 'Llave');
const gown = product(10, 'Bata');
const gloves = product(11, 'Guantes');
const kit: KitView = {
  id: 4,
  name: 'Vía periférica',
  area_id: null,
  area: null,
  own: false,
  user_id: null,
  lines: [
    { product_id: 8, product: catheter, quantity: 1, optional: false },
    { product_id: 9, product: valve, quantity: 1, optional: false },
    { product_id: 10, product: gown, quantity: 1, optional: true },
  ],
  version: 3,
};
const none = { recorded: 0, returned: 0, wasted: 0, median: null, used_in: 0, proposal: null };
const inKit = { ...none, in_kit: true, quantity: 1, optional: false };
const items: KitReviewItemView[] = [
  { ...inKit, product: catheter, used_in: 98, median: 1, recorded: 100, returned: 3, wasted: 11 },
  { ...inKit, product: valve, used_in: 31, proposal: { action: 'change', quantity: 1, optional: true } },
  {
    ...inKit,
    product: gown,
    optional: true,
    proposal: { action: 'remove', quantity: null, optional: null },
  },
  {
    ...none,
    product: gloves,
    in_kit: false,
    quantity: null,
    optional: null,
    used_in: 74,
    median: 2,
    proposal: { action: 'add', quantity: 2, optional: false },
  },
];

/** Serve the kit with its review, and collect the updates. */
function serveReview(review: Partial<KitReviewView> = {}) {
  const asked: string[] = [];
  const sent: { version: string | null; body: unknown }[] = [];
  server.use(
    http.get('/api/kits/4', () => HttpResponse.json(kit)),
    http.get('/api/kits/4/review', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ since: '2026-06-01', uses: 100, items, ...review });
    }),
    http.get('/api/areas', () => HttpResponse.json(aPage([]))),
    http.get('/api/products', () => HttpResponse.json(aPage([]))),
    http.put('/api/kits/4', async ({ request }) => {
      sent.push({ version: request.headers.get('If-Match'), body: await request.json() });
      return HttpResponse.json(kit);
    }),
  );
  return { asked, sent };
}

const supervisor = { user: aSupervisor() };

it('fills in the form of the kit with the ticked proposals', async () => {
  const { sent } = serveReview();
  const { router } = await render({ at: '/products/kits/4' }, supervisor);
  await userEvent.click(await screen.findByRole('link', { name: 'Revisar' }));
  expect(await screen.findByText('100 usos desde el 1 jun 2026')).toBeVisible();
  expect(screen.getByRole('row', { name: /Catéter/ })).toHaveTextContent(/Catéter198\s*%13\s*%11\s*%—/);
  const [valves] = screen.getAllByRole('checkbox');
  expect(valves).toHaveAccessibleName('Opcional: Llave');
  // By keyboard: the rows are one tab stop, Space ticks and Enter opens the form.
  valves?.focus();
  await userEvent.keyboard('{ArrowDown} ');
  expect(screen.getByRole('checkbox', { name: 'Quitar: Bata' })).toHaveFocus();
  expect(screen.getByRole('checkbox', { name: 'Quitar: Bata' })).not.toBeChecked();
  await userEvent.keyboard('{ArrowDown}');
  expect(screen.getByRole('checkbox', { name: 'Agregar 2: Guantes' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/products/kits/4/edit'));
  expect(await screen.findByRole('textbox', { name: 'Cantidad de Guantes' })).toHaveValue('2');
  expect(screen.getByRole('checkbox', { name: 'Opcional: Llave' })).toBeChecked();
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Kit actualizado')).toBeVisible();
  expect(sent).toEqual([
    {
      version: '"3"',
      body: {
        name: 'Vía periférica',
        lines: [
          { product_id: 8, quantity: 1, optional: false },
          { product_id: 9, quantity: 1, optional: true },
          { product_id: 10, quantity: 1, optional: true },
          { product_id: 11, quantity: 2, optional: false },
        ],
      },
    },
  ]);
});

it('asks before it leaves the form with proposals that are not saved', async () => {
  serveReview();
  const { router } = await render({ at: '/products/kits/4/review' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Revisar el kit con lo marcado' }));
  await screen.findByRole('textbox', { name: 'Cantidad de Guantes' });
  await router.navigate('/products/kits');
  expect(await screen.findByRole('dialog', { name: '¿Salir sin guardar los cambios?' })).toBeVisible();
});

it('says why nothing is proposed, and counts other days', async () => {
  const { asked } = serveReview({ uses: 3, items: items.map((item) => ({ ...item, proposal: null })) });
  await render({ at: '/products/kits/4/review' }, supervisor);
  expect(await screen.findByText('Con menos de 20 usos no se propone ningún cambio.')).toBeVisible();
  expect(screen.queryByRole('checkbox')).toBeNull();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Usos que se cuentan' }), '30');
  await waitFor(() => expect(asked).toEqual(['?days=180', '?days=30']));
});

it('changes only the lines that the kit still has', () => {
  const changes = items.flatMap(({ product, proposal }) => (proposal ? [{ product, proposal }] : []));
  // Another user may have changed the kit since the review.
  expect(withChanges([], changes.slice(0, 2))).toEqual([{ product: valve, quantity: 1, optional: true }]);
});
