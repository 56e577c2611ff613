import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { ImplantView } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const implant: ImplantView = {
  id: 31,
  consumption_sheet_id: 71,
  patient_id: 11,
  patient: { id: 11, name: 'María', first_surname: 'Quispe', second_surname: null, record_number: 'E-1' },
  room: { id: 5, name: '201-A' },
  day: '2026-11-20',
  product_id: 8,
  product: { id: 8, code: 'MP-2', unit: 'pieza', name: 'Marcapasos' },
  quantity: 1,
  gtin: '07501234567893',
  lot: 'L-77',
  serial: 'S-1',
  expiry: '2029-10-31',
  missing: null,
  implant_reason: null,
  use_reason: null,
  udi: '(01)07501234567893(17)291031(10)L-77(21)S-1',
  staff: null,
};
const screws: ImplantView = {
  ...implant,
  id: 32,
  quantity: 2,
  serial: null,
  missing: 'serial_only',
  implant_reason: 'La etiqueta no lo trae',
};
const unknown: ImplantView = { ...implant, id: 33, lot: null, serial: null, missing: 'lot_and_serial' };

function serveImplants() {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('/api/implants', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json(aPage([implant, screws, unknown]));
    }),
  );
  return asked;
}

it('lists implants with what they lack, and leads to the line and to a recall', async () => {
  serveImplants();
  await render({ at: '/implants' }, { user: aSupervisor() });
  await screen.findAllByRole('link', { name: 'María Quispe' });
  const [first, second, third] = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row));
  expect(first?.getByRole('link', { name: 'María Quispe' })).toHaveAttribute(
    'href',
    '/consumption-sheet-details/31',
  );
  expect(first?.getByText('Lote L-77')).toBeVisible();
  expect(first?.getByText('S/N S-1')).toBeVisible();
  await userEvent.click(
    screen.getAllByRole('button', { name: 'Más acciones: Marcapasos · MP-2' })[0] as HTMLElement,
  );
  expect(await screen.findByRole('menuitem', { name: 'Retirar este lote' })).toHaveAttribute(
    'href',
    '/recalls/create?product=8&lot=L-77',
  );
  expect(second?.getByText('2 Marcapasos · MP-2')).toBeVisible();
  expect(second?.getByText('Falta: La etiqueta no lo trae')).toBeVisible();
  expect(third?.getByText('Falta, sin motivo')).toBeVisible();
  expect(third?.queryByRole('button')).toBeNull();
});

it('filters by the address', async () => {
  const asked = serveImplants();
  server.use(
    http.get('/api/products/8', () => HttpResponse.json({ ...implant.product, category: {} })),
    http.get('/api/patients/11', () => HttpResponse.json({ ...implant.patient, active: true })),
  );
  const at = '/implants?product=8&patient=11&lot=l-77&serial=S-1&from=2026-11-01&to=2026-11-30&incomplete=1';
  await render({ at }, { user: aSupervisor() });
  await screen.findAllByRole('row');
  const expected = {
    product_id: '8',
    patient_id: '11',
    lot: 'l-77',
    serial: 'S-1',
    from: '2026-11-01',
    to: '2026-11-30',
    incomplete: 'true',
  };
  await waitFor(() => expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject(expected));
});

it('filters by a typed serial number', async () => {
  const asked = serveImplants();
  await render({ at: '/implants' }, { user: aSupervisor() });
  await userEvent.click(await screen.findByRole('button', { name: /Filtros/ }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Número de serie' }), ' S-1 {Enter}');
  await waitFor(() => expect(asked.at(-1)?.get('serial')).toBe('S-1'));
});

it('keeps the focus in a filter that Enter applies', async () => {
  const asked = serveImplants();
  await render({ at: '/implants' }, { user: aSupervisor() });
  await userEvent.click(await screen.findByRole('button', { name: /Filtros/ }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Número de serie' }), ' S-1 {Enter}');
  await waitFor(() => expect(asked.at(-1)?.get('serial')).toBe('S-1'));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Número de serie' })).toHaveValue('S-1'));
  expect(screen.getByRole('textbox', { name: 'Número de serie' })).toHaveFocus();
});

it('closes a list in the filters with Escape, and the filters next', async () => {
  serveImplants();
  server.use(http.get('/api/products', () => HttpResponse.json(aPage([]))));
  await render({ at: '/implants' }, { user: aSupervisor() });
  const button = await screen.findByRole('button', { name: /Filtros/ });
  await userEvent.click(button);
  const field = await screen.findByRole('combobox', { name: 'Producto' });
  await userEvent.click(field);
  await waitFor(() => expect(field).toHaveAttribute('aria-expanded', 'true'));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(field).toHaveAttribute('aria-expanded', 'false'));
  expect(field).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(field).not.toBeInTheDocument());
  await waitFor(() => expect(button).toHaveFocus());
});

it('is not for ward staff', async () => {
  const asked = serveImplants();
  await render({ at: '/implants' }, { user: aNurse() });
  await screen.findByRole('heading', { level: 1 });
  expect(asked).toEqual([]);
});

it('fills in the recall of an implant', async () => {
  server.use(http.get('/api/products/8', () => HttpResponse.json({ ...implant.product, category: {} })));
  await render({ at: '/recalls/create?product=8&lot=L-77' }, { user: aSupervisor() });
  expect(await screen.findByRole('textbox', { name: /Lote/ })).toHaveValue('L-77');
  await waitFor(() => expect(screen.getByRole('combobox', { name: /Producto/ })).toHaveValue('Marcapasos'));
});
