import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { KitView, OwnAccountView, ProductView } from '@/api/generated';
import { deviceDatabase } from '@/device/database';
import { scan } from '@/test/keys';
import { aNurse, aSupervisor } from '@/test/people';
import { byHand, match } from '@/test/recorder';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { setRecordDelay } from '@/test/setRecordDelay';
import { aPage } from '@/test/sheets';
import { gauze, glove, largeGlove, product, quantity, record, rows, serveWard } from '@/test/ward';
import { blank, type PracticeEvent, type PracticeState, reducePractice } from './practiceState';
import { chooseProducts, tasksFor } from './practiceTasks';

// A scanned line is recorded by the next act.
setRecordDelay(100_000_000);

/** Every request that could change something. */
let writes: string[] = [];
const note = ({ request }: { request: Request }) => {
  if (request.method !== 'GET') writes.push(`${request.method} ${request.url}`);
};
beforeEach(() => {
  writes = [];
  server.events.on('request:start', note);
  return () => server.events.removeListener('request:start', note);
});

async function practise(user: OwnAccountView = aNurse()) {
  const ward = serveWard();
  const page = await render({ at: '/practice' }, { user });
  await product();
  return { ward, ...page };
}

const task = () => within(screen.getByRole('region', { name: 'Qué hacer ahora' })).getByRole('status');
const place = () => screen.getByRole('region', { name: 'Qué hacer ahora' });
const reach = (number: number) => waitFor(() => expect(place()).toHaveTextContent(`${number} de 10`));

it('does ten things on the sheet, and sends no request', async () => {
  const { store } = await practise();
  expect(screen.getByRole('heading', { name: 'Paciente de Práctica' })).toBeVisible();
  expect(screen.getByText('Nada de lo que registre aquí se envía, se guarda ni se cobra.')).toBeVisible();
  expect(task()).toHaveTextContent('Registre 1 Gasa estéril');
  await record('gasa', '1');
  await reach(2);
  expect(task()).toHaveTextContent('Registre 3 de Guante de nitrilo M de una vez: escriba «3 guante».');
  await userEvent.type(await product(), '3 guante de nitrilo m{Enter}');
  await waitFor(() => expect(quantity()).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await reach(3);
  await userEvent.type(await product(), 'GR-3{Enter}');
  await screen.findByRole('list', { name: 'Sin registrar' });
  await userEvent.type(await product(), '1{Enter}');
  await waitFor(() => expect(quantity()).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await reach(5);
  await scan('GR-1');
  await screen.findByRole('list', { name: 'Sin registrar' });
  await scan('GR-3');
  await reach(6);
  await scan('GR-3');
  await scan('GR-1');
  await reach(7);
  await userEvent.type(await product(), 'bisturí láser{Enter}');
  await userEvent.click(await screen.findByRole('option', { name: /Anotar/ }));
  await reach(8);
  await userEvent.click(screen.getByRole('button', { name: /Editar .*Guante de nitrilo M/ }));
  const edited = within(screen.getByRole('row', { name: 'Editar detalle de consumo' }));
  await userEvent.clear(edited.getByRole('textbox', { name: 'Cantidad' }));
  await userEvent.type(edited.getByRole('textbox', { name: 'Cantidad' }), '2{Enter}');
  await reach(9);
  await record('gasa', '1');
  await userEvent.click(await screen.findByRole('button', { name: 'Deshacer Gasa estéril · GR-1' }));
  await reach(10);
  const [first] = await screen.findAllByRole('button', { name: /^Borrar / });
  await userEvent.click(first as HTMLElement);
  await userEvent.click(await screen.findByRole('button', { name: 'Borrar' }));
  expect(await screen.findByText(/¡Listo! Hizo 10 de 10 en/)).toBeVisible();
  expect(writes).toEqual([]);
  expect(store.getState().outbox.lines).toEqual([]);
  expect(await (await deviceDatabase()).getAll('outbox')).toEqual([]);
  await userEvent.click(screen.getAllByRole('button', { name: 'Otra vez' })[0] as HTMLElement);
  await reach(1);
  expect(screen.queryByRole('table')).toBeNull();
});

it('records a kit in its drawer without sending it', async () => {
  const kit = {
    id: 4,
    name: 'Vía periférica',
    area: null,
    area_id: null,
    own: false,
    user_id: null,
    version: 1,
    lines: [gauze, glove].map(({ id, name, code, unit, active }) => ({
      ...{ product_id: id, quantity: 2, optional: false },
      product: { id, name, code, unit, active },
    })),
  } satisfies KitView;
  const ward = serveWard();
  ward.kits = [kit];
  await render({ at: '/practice' }, { user: aNurse() });
  await product();
  for (let skipped = 1; skipped < 7; skipped += 1)
    await userEvent.click(screen.getByRole('button', { name: 'Omitir' }));
  expect(task()).toHaveTextContent('Registre el kit «Vía periférica»');
  await userEvent.type(await product(), 'vía{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'Registrar 2 líneas' }));
  await reach(8);
  expect(rows()).toHaveLength(2);
  expect(writes).toEqual([]);
});

it('shows no price to those who see prices, and offers nothing that leads to the server', async () => {
  await practise(aSupervisor());
  await userEvent.type(await product(), 'gasa');
  await screen.findByRole('option', { name: /Gasa estéril/ });
  expect(document.body).not.toHaveTextContent('$');
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(quantity()).toHaveFocus());
  expect(document.body).not.toHaveTextContent('$');
  await userEvent.keyboard('{Enter}');
  await screen.findByRole('table');
  expect(document.body).not.toHaveTextContent('$');
  await userEvent.click(screen.getByRole('button', { name: /Más acciones.*Gasa/ }));
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items).toEqual(['Marcar']);
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: /Editar .*Gasa/ }));
  expect(screen.queryByRole('link', { name: 'Editar más' })).toBeNull();
  expect(writes).toEqual([]);
});

it('does not meet the patient of a scanned wristband', async () => {
  const { ward, router } = await practise();
  ward.symbols['12345678'] = {
    people: [
      {
        ...{ id: 3, name: 'Ana', first_surname: 'Ruiz', second_surname: null },
        ...{ record_number: '12345678', date_of_birth: null, active: true },
        sheets: [{ id: 7, room: { id: 1, name: '101', area_id: 1 }, closed: false }],
      },
    ],
  } as unknown as (typeof ward.symbols)[string];
  await scan('12345678');
  expect(await screen.findByText(/12345678/)).toBeVisible();
  expect(document.body).not.toHaveTextContent('Ruiz');
  expect(router.state.location.pathname).toBe('/practice');
  expect(ward.lookedUp.at(-1)).toBe('12345678');
});

it('asks for scans that are not noted as unknown codes', async () => {
  await practise();
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('/api/products/lookup', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ matches: [], people: [], reading: null, noted: null, read_as: null });
    }),
  );
  await scan('ZZ-99');
  await waitFor(() => expect(asked.map((one) => one.get('only_tried'))).toEqual(['true']));
});

it('says so if there is nothing to practise with', async () => {
  serveWard();
  server.use(http.get('/api/products', () => HttpResponse.json(aPage([]))));
  await render({ at: '/practice' }, { user: aNurse() });
  expect(await screen.findByText('No hay productos con código para practicar')).toBeVisible();
});

it('is reached from the empty sheet', async () => {
  serveWard();
  const { router } = await render(
    { at: '/consumption-sheet-details/1/consumption-details' },
    { user: aNurse() },
  );
  await userEvent.click(await screen.findByRole('link', { name: 'Practicar' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/practice'));
});

describe('the tasks', () => {
  const others = [gauze, glove, largeGlove];

  it('name products with a code that ask for nothing, of different kinds first', () => {
    const lot: ProductView = { ...gauze, id: 8, name: 'Malla', asks_lot: true };
    const old: ProductView = { ...gauze, id: 9, name: 'Tubo', active: false };
    const coded: ProductView = { ...gauze, id: 10, name: 'Venda', code: null, gtin: null };
    const accented: ProductView = { ...gauze, id: 11, name: 'Sonda', code: 'Ñ-1' };
    const syringe: ProductView = { ...gauze, id: 12, name: 'Jeringa' };
    const chosen = chooseProducts([lot, old, coded, accented, ...others, syringe]);
    expect(chosen.map(({ id }) => id)).toEqual([gauze.id, glove.id, syringe.id, largeGlove.id]);
    // A heap of twelve to photograph.
    const many = Array.from({ length: 20 }, (_, at) => ({ ...gauze, id: 100 + at }));
    expect(chooseProducts(many)).toHaveLength(12);
  });

  const tasks = tasksFor(others, undefined);
  const having = (...events: (Omit<PracticeEvent, 'at'> & { at?: number })[]) =>
    events.reduce<PracticeState>(
      (state, event, at) => reducePractice(state, { at, ...event } as PracticeEvent, tasks),
      blank,
    );
  const recorded = (id: number, amount: number) =>
    ({ type: 'recorded', items: [byHand(id, amount)], userId: 2 }) as const;

  it('end in turn: what fits a later one does not count', () => {
    const state = having(recorded(2, 3), recorded(1, 1), recorded(2, 2), recorded(2, 3));
    expect(state.outcomes).toEqual(['done', 'done']);
    expect(state.lines.map(({ quantity }) => quantity)).toEqual([3, 2, 1, 3]);
  });

  it('can be skipped, and the time ends with the last one', () => {
    const state = having(
      { type: 'begun', at: 5 },
      ...tasks.map((_, at) => ({ type: 'skipped' as const, at: 10 + at })),
    );
    expect(state.outcomes).toEqual(tasks.map(() => 'skipped'));
    expect([state.startedAt, state.endedAt]).toEqual([5, 19]);
    expect(reducePractice(state, { type: 'restarted', at: 30 }, tasks)).toEqual(blank);
  });

  it('keep what was undone and removed off the sheet', () => {
    const both = {
      type: 'recorded',
      items: [byHand(1, 1), byHand(2, 1)],
      kit: { id: 4, name: 'Vía' },
      userId: 2,
    } as const;
    expect(having(both, { type: 'undone', isOpen: false } as never).lines).toEqual([]);
    expect(having(both, { type: 'undone', isOpen: true } as never).lines).toHaveLength(2);
    const removed = having(recorded(1, 1), { type: 'removed', id: 1 } as never);
    expect([removed.lines, removed.acts]).toEqual([[], []]);
  });

  it('keep no price of a recorded product', () => {
    const [line] = having({
      ...recorded(1, 1),
      items: [{ ...byHand(1, 1), product: { ...match(1).product, price: 9 } }],
    } as never).lines;
    expect(JSON.stringify(line)).not.toContain('price');
  });
});
