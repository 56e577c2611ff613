import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import type { AccountChangesView, AccountView } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aSheet } from '@/test/sheets';
import { at, serveWard } from '@/test/ward';

const SHEET = '/api/consumption-sheets/1';
const PRICED: AccountView = {
  ...{ sheet_id: 1, version: 3, closed: false, at: '2026-11-23T16:20:00Z', total: 84.2, kinds: [] },
  days: [
    {
      ...{ day: '2026-11-22', total: 84.2, kinds: [] },
      items: [
        { name: 'Gasas', quantity: 12, articles: false, wasted: false, included: false, total: 4.2 },
        { name: 'Guantes', quantity: 6, articles: false, wasted: false, included: true, total: 0 },
        { name: 'Curación', quantity: 5, articles: true, wasted: false, included: false, total: 80 },
        { name: 'Sondas', quantity: 1, articles: false, wasted: true, included: false, total: 0 },
      ],
    },
  ],
  returned: [{ day: '2026-11-22', name: 'Jeringas', quantity: 2, articles: false }],
  ...{ unlisted_items: 1, late_entries: 0, without_price: 2 },
  issued: [{ since: 'account-1', at: '2026-11-22T10:12:00Z', total: 200.4 }],
};
const UNPRICED: AccountView = {
  ...{ sheet_id: 1, version: 3, closed: false, at: '2026-11-23T16:20:00Z', kinds: [], returned: [] },
  days: [
    {
      ...{ day: '2026-11-22', kinds: [] },
      items: [{ name: 'Guantes', quantity: 18, articles: false, wasted: false }],
    },
  ],
  ...{ unlisted_items: 0, late_entries: 0, issued: [] },
};
const CHANGES: AccountChangesView = {
  ...{ since: '2026-11-22T10:12:00Z', total_then: 200.4, total_now: 84.2, difference: -116.2 },
  items: [
    { kind: 'added', name: 'Sueros', quantity: 6, articles: false, amount: 20 },
    { kind: 'voided', name: 'Catéter', quantity: 1, articles: false, amount: -136.2 },
  ],
};

async function open(account: AccountView, user = aSupervisor(), at = '/consumption-sheets/1/account') {
  const printed: string[] = [];
  URL.createObjectURL = () => 'blob:account';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  server.use(
    http.get(SHEET, () => HttpResponse.json(aSheet())),
    http.get(`${SHEET}/account`, () => HttpResponse.json(account)),
    http.get(`${SHEET}/account/changes`, () => HttpResponse.json(CHANGES)),
    http.post(`${SHEET}/accounts`, () =>
      HttpResponse.json({ of: 'account-2', id: 131, proof: 'CNSD' }, { status: 201 }),
    ),
    http.get(`${SHEET}/account/pdf`, ({ request }) => {
      printed.push(new URL(request.url).search);
      return new HttpResponse(new Blob(['%PDF']), { headers: { 'Content-Type': 'application/pdf' } });
    }),
  );
  await render({ at }, { user });
  await screen.findByRole('button', { name: 'Imprimir' });
  return printed;
}

it('shows the account in plain words', async () => {
  await open(PRICED);
  const day = screen.getByRole('region', { name: 'domingo, 22 nov 2026' });
  const rows = within(day).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent?.trim())).toEqual([
    expect.stringMatching(/^12Gasas.*4,20$/),
    '6Guantesincluido en la estancia',
    expect.stringMatching(/^Curación: 5 artículos.*80,00$/),
    '1Sondasdesechado: no se cobra',
  ]);
  expect(screen.getByText('Se devolvió y no se usó: 2 Jeringas.')).toBeVisible();
  expect(screen.getByText('Falta poner precio a 2 artículos.')).toBeVisible();
  expect(screen.getByText('Falta revisar 1 artículo: todavía no está en la cuenta.')).toBeVisible();
});

it('shows and prints no amount without prices', async () => {
  const printed = await open(PRICED);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Con precios' }));
  const day = screen.getByRole('region', { name: 'domingo, 22 nov 2026' });
  expect(day.textContent).not.toMatch(/,\d\d|incluido|no se cobra/);
  await userEvent.keyboard('{Control>}p{/Control}');
  await waitFor(() => expect(printed).toEqual(['?of=account-2&prices=false']));
});

it('has no switch for ward staff', async () => {
  const printed = await open(UNPRICED, aNurse());
  expect(screen.queryByText('Hasta ahora')).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByText('¿Por qué es más que antes?')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Imprimir' }));
  await waitFor(() => expect(printed).toHaveLength(1));
});

it('tells why it is another one than before', async () => {
  await open(PRICED);
  await userEvent.click(screen.getByRole('button', { name: /200,40/ }));
  const told = await screen.findByText(/^Desde la cuenta del .* hay .*116,20 menos:$/);
  const rows = within(told.parentElement as HTMLElement).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^6 Sueros · usado después\+.*20,00$/),
    expect.stringMatching(/^1 Catéter · anotado por error−.*136,20$/),
  ]);
});

it('shows the differences of a scanned paper at once', async () => {
  await open(PRICED, aSupervisor(), '/consumption-sheets/1/account?since=account-1');
  expect(await screen.findByText(/116,20 menos:$/)).toBeVisible();
});

it('stays on the sheet without network, and says why', async () => {
  serveWard();
  server.use(http.get('/api/consumption-sheets/:id/account', () => HttpResponse.error()));
  const { router } = await render({ at }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Cuenta para la familia' }));
  expect(await screen.findByText('Sin conexión no se puede ver la cuenta.')).toBeVisible();
  expect(router.state.location.pathname).toBe(at);
});

it('opens from the menu of a sheet, and reads the account once', async () => {
  serveWard();
  let reads = 0;
  server.use(
    http.get('/api/consumption-sheets/:id/account', () => {
      reads += 1;
      return HttpResponse.json(UNPRICED);
    }),
  );
  await render({ at }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Cuenta para la familia' }));
  expect(await screen.findByRole('button', { name: 'Imprimir' })).toBeVisible();
  expect(reads).toBe(1);
});
