import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import type { NoticeView } from '@/api/generated';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aNotice } from '@/test/shift';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
});

/** Serve notices until they are marked as seen; returns the ids that were. */
function serve(notices: NoticeView[], more = false) {
  const seen: number[] = [];
  const asked: string[] = [];
  server.use(
    http.get('/api/notices', () => {
      asked.push('asked');
      return HttpResponse.json({ items: notices.filter(({ id }) => !seen.includes(id)), more });
    }),
    http.post('/api/notices/seen', async ({ request }) => {
      seen.push(...((await request.json()) as { ids: number[] }).ids);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return { seen, asked };
}

const bar = () => screen.findByRole('region', { name: 'Cambios en sus líneas' });

it.each<[Partial<NoticeView>, string, string]>([
  [{}, 'Marta Torres corrigió su línea: Gasa 10 × 10, 11 → 1 (Ofelia Zamudio, 202)', '?line=41'],
  [
    { kind: 'voided', new_product: null, new_quantity: null },
    'Marta Torres anuló su línea: 11 Gasa 10 × 10 (Ofelia Zamudio, 202)',
    '',
  ],
  [
    { kind: 'returned', new_quantity: 9 },
    'Marta Torres registró una devolución en su línea: Gasa 10 × 10, 11 → 9 (Ofelia Zamudio, 202)',
    '?line=41',
  ],
  [
    {
      kind: 'product_corrected',
      new_product: { id: 9, name: 'Venda', code: null, unit: null },
      new_quantity: 2,
    },
    'Marta Torres corrigió el producto de su línea: 11 Gasa 10 × 10 → 2 Venda (Ofelia Zamudio, 202)',
    '?line=41',
  ],
  [
    {
      kind: 'moved',
      moved_from: {
        id: 5,
        closed: false,
        patient: { id: 12, name: 'José', first_surname: 'Ríos', second_surname: null },
        room: '203',
      },
    },
    'Marta Torres movió su línea: 11 Gasa 10 × 10, de José Ríos, 203 a Ofelia Zamudio, 202',
    '?line=41',
  ],
  [{ kind: 'moved' }, 'Marta Torres movió su línea: 11 Gasa 10 × 10, a Ofelia Zamudio, 202', '?line=41'],
  [
    { product: null },
    'Marta Torres corrigió su línea: producto eliminado, 11 → 1 (Ofelia Zamudio, 202)',
    '?line=41',
  ],
])('tells one change in full, with a link to the line', async (change, text, query) => {
  serve([aNotice(change)]);
  await render({ at: '/' }, { user: aNurse() });
  expect(await screen.findByText(text)).toBeVisible();
  expect(within(await bar()).getByRole('link', { name: 'Ver' })).toHaveAttribute(
    'href',
    `/consumption-sheet-details/4/consumption-details${query}`,
  );
});

it('leads to the closed sheet if it was closed meanwhile', async () => {
  serve([aNotice({ sheet: { ...aNotice().sheet, closed: true } })]);
  await render({ at: '/' }, { user: aNurse() });
  const link = within(await bar()).getByRole('link', { name: 'Ver' });
  expect(link).toHaveAttribute('href', '/consumption-sheets/closed/4');
});

it('disappears once the user has seen it', async () => {
  const { seen } = serve([aNotice()]);
  await render({ at: '/' }, { user: aNurse() });
  await userEvent.click(within(await bar()).getByRole('button', { name: 'Entendido' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Cambios en sus líneas' })).toBeNull());
  expect(seen).toEqual([1]);
});

it('groups the lines of one action and lists the latest first', async () => {
  const voided: Partial<NoticeView> = { kind: 'voided', new_product: null, new_quantity: null };
  const { seen } = serve([
    aNotice({ id: 3, at: '2026-11-21T11:30:00Z' }),
    aNotice({ ...voided, id: 2 }),
    aNotice({ ...voided, id: 1, quantity: 2 }),
  ]);
  await render({ at: '/' }, { user: aNurse() });
  expect(await screen.findByText('Cambiaron 3 líneas suyas')).toBeVisible();
  await userEvent.click(within(await bar()).getByRole('button', { name: 'Ver' }));
  const drawer = await screen.findByRole('dialog', { name: 'Cambios en sus líneas' });
  expect(
    within(drawer)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    expect.stringMatching(/^Marta Torres corrigió su línea: .* 11:30$/),
    expect.stringMatching(
      /^Marta Torres anuló 2 líneas suyas \(Ofelia Zamudio, 202\)11 Gasa 10 × 10 · 2 Gasa 10 × 10.* 11:00$/,
    ),
  ]);
  await userEvent.click(within(drawer).getByRole('button', { name: 'Entendido' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Cambios en sus líneas' })).toBeNull());
  expect(seen.toSorted()).toEqual([1, 2, 3]);
});

it('asks with each page, and not for users without sheets', async () => {
  const { asked } = serve([]);
  const user = aNurse();
  await render({ at: '/' }, { user });
  await waitFor(() => expect(asked).toHaveLength(1));
  await userEvent.click(screen.getAllByRole('link', { name: 'Hojas cerradas' })[0] as HTMLElement);
  await waitFor(() => expect(asked).toHaveLength(2));
});
