import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { atArea, serveArea } from '@/test/area';
import { scan } from '@/test/keys';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { setRecordDelay } from '@/test/setRecordDelay';
import { aDetail, at, gauze, product, quantity, record, rows, serveWard, whereMatches } from '@/test/ward';

setRecordDelay(20);

/** Open the page of the area in a window that has room for all reasons. */
async function open(user = aNurse(), address = atArea) {
  whereMatches('64em');
  const rendered = await render({ at: address }, { user });
  await screen.findByRole('heading', { name: 'Gasto del área UCI' });
  return rendered;
}

const alt = (digit: number) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { code: `Digit${digit}`, altKey: true });
const reason = (name: string) => screen.getByRole('button', { name });

it('records with the reason of the visit, and names the area', async () => {
  const ward = serveArea({ seesPrices: false });
  await open();
  alt(1);
  expect(reason('Carro de paro')).toHaveAttribute('aria-pressed', 'true');
  expect(await product()).toHaveAttribute('placeholder', 'Carro de paro en UCI: escanee o escriba');
  expect(screen.getByRole('button', { name: 'Registrar en UCI' })).toBeVisible();
  await record('gasa', '2');
  await waitFor(() =>
    expect(ward.sent).toMatchObject([{ quantity: 2, use_reason: 'crash_cart', area_id: 2 }]),
  );
  expect(await screen.findByText('Registrado en UCI: 2 Gasa estéril')).toBeInTheDocument();
  await waitFor(() => expect(rows()[0]).toContain('Carro de paro'));
  expect(screen.getByText('No es de ningún paciente')).toBeVisible();
  expect(document.title).toMatch(/^Gasto del área/);
  expect(document.body.textContent).not.toMatch(/Quispe|8\D?765/);
});

it('takes scans and typed lines before the reason, with one question', async () => {
  const ward = serveArea();
  await open();
  await userEvent.click(await product());
  await scan('GR-1');
  await scan('GR-2');
  await record('guante de nitrilo g', '4');
  expect(await screen.findByText('Elija para qué se usan: 3 líneas esperan.')).toBeVisible();
  expect(ward.sent).toEqual([]);
  await userEvent.click(reason('Limpieza'));
  await waitFor(() => expect(ward.sent).toHaveLength(3));
  expect(ward.sent.map((sent) => [sent.product_id, sent.quantity, sent.use_reason])).toEqual([
    [1, 1, 'cleaning'],
    [2, 1, 'cleaning'],
    [3, 4, 'cleaning'],
  ]);
  expect(screen.queryByText(/esperan/)).toBeNull();
});

it('notes an unlisted item once its reason is chosen', async () => {
  serveArea();
  const noted: unknown[] = [];
  server.use(
    http.post('/api/consumption-sheets/1/unlisted-items', async ({ request }) => {
      noted.push(await request.json());
      return HttpResponse.json({ id: 1 }, { status: 201 });
    }),
  );
  await open();
  await userEvent.type(await product(), '2 sierra nueva');
  await userEvent.click(await screen.findByRole('option', { name: /sierra nueva/ }));
  expect(await screen.findByText('Elija para qué se usa: 1 línea espera.')).toBeVisible();
  expect(noted).toEqual([]);
  alt(4);
  await waitFor(() => expect(noted).toMatchObject([{ quantity: 2, use_reason: 'other' }]));
});

it('forgets the reason when the page is left', async () => {
  serveArea();
  const { router } = await open();
  alt(2);
  expect(reason('Limpieza')).toHaveAttribute('aria-pressed', 'true');
  await router.navigate('/consumption-sheets/areas');
  await screen.findByRole('link', { name: 'Del área' });
  await router.navigate(atArea);
  expect(await screen.findByRole('button', { name: 'Limpieza' })).toHaveAttribute('aria-pressed', 'false');
});

describe('a digit without a text field', () => {
  it('chooses a reason after a pause', async () => {
    serveArea();
    await open();
    (document.activeElement as HTMLElement).blur();
    await userEvent.keyboard('3');
    await waitFor(() => expect(reason('Docencia')).toHaveAttribute('aria-pressed', 'true'));
    expect(await product()).toHaveValue('');
  });

  it('that begins a code chooses none', async () => {
    const ward = serveArea();
    await open();
    alt(2);
    (document.activeElement as HTMLElement).blur();
    await scan(String(gauze.gtin));
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, use_reason: 'cleaning' }]));
    expect(reason('Carro de paro')).toHaveAttribute('aria-pressed', 'false');
    expect(await product()).toHaveValue('');
  });

  it('is typed into the bar if letters follow', async () => {
    serveArea();
    await open();
    alt(2);
    (document.activeElement as HTMLElement).blur();
    await userEvent.keyboard('3 gasa');
    expect(await product()).toHaveValue('3 gasa');
  });
});

it.each(['dialog', 'menu'])('chooses no reason by a key behind a %s', async (layer) => {
  serveArea({ details: [aDetail(1, { use_reason: 'cleaning' })] });
  await open(aSupervisor());
  await userEvent.click(await screen.findByRole('button', { name: 'Más acciones: Gasa estéril · GR-1' }));
  const [first] = await screen.findAllByRole('menuitem');
  await waitFor(() => expect(first).toHaveFocus());
  if (layer === 'dialog') {
    await userEvent.click(screen.getByRole('menuitem', { name: 'Devolver Gasa estéril · GR-1' }));
    (await screen.findByRole('button', { name: 'Cancelar' })).focus();
  }
  alt(1);
  await userEvent.keyboard('2');
  await delay(400);
  for (const name of ['Carro de paro', 'Limpieza'])
    expect(screen.getByRole('button', { name, hidden: true })).toHaveAttribute('aria-pressed', 'false');
});

it('fills the bar from the address, once', async () => {
  serveArea();
  server.use(http.get('/api/products/1', () => HttpResponse.json(gauze)));
  const { router } = await open(aSupervisor(), `${atArea}?product=1&quantity=7`);
  await waitFor(() => expect(quantity()).toHaveValue('7'));
  expect(await product()).toHaveValue(gauze.name);
  expect(router.state.location.search).toBe('');
});

it('offers no waste and no patient for a line, but a return', async () => {
  serveArea({ details: [aDetail(1, { use_reason: 'dropped', unbilled: 'area', total: 0 })] });
  await open(aSupervisor());
  const [row] = await screen.findAllByRole('row', { name: /Gasa estéril/ });
  expect(row).toHaveTextContent('Caído o contaminado');
  expect(row).not.toHaveTextContent('no se cobra');
  await userEvent.click(screen.getByRole('button', { name: 'Más acciones: Gasa estéril · GR-1' }));
  const menu = within(await screen.findByRole('menu'));
  expect(menu.getByRole('menuitem', { name: /^Devolver/ })).toBeVisible();
  expect(menu.queryByRole('menuitem', { name: /desech/i })).toBeNull();
});

it('is opened by the number of a sheet that is none of a patient', async () => {
  serveArea({ details: [aDetail(1, { use_reason: 'other' })] });
  whereMatches('64em');
  const { router } = await render({ at: `${at}?line=1` }, { user: aNurse() });
  expect(await screen.findByRole('heading', { name: 'Gasto del área UCI' })).toBeVisible();
  expect(router.state.location.pathname).toBe(atArea);
  expect(router.state.location.search).toBe('?sheet=1&line=1');
});

it('is reached from a sheet, without an entry in the menu', async () => {
  serveWard();
  await render({ at }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
  expect(await screen.findByRole('menuitem', { name: 'Gasto del área' })).toHaveAttribute('href', atArea);
});
