import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ProductLookupView } from '@/api/generated';
import { allEntries } from '@/outbox/entries';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { atArea, serveArea } from '@/test/area';
import { aNurse } from '@/test/people';
import { seen, stubPhotos } from '@/test/photo';
import { reading } from '@/test/recorder';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aDetail, at, gauze, glove, largeGlove, product, serveWard, whereMatches } from '@/test/ward';

type Means = Partial<ProductLookupView>;

const of = (one: typeof gauze, read: Parameters<typeof reading>[0] = {}): Means => ({
  reading: reading(read),
  matches: [{ product: one, system: 'gtin', units: 1, label: null }],
});
const room = { id: 7, name: '203' };
const bandOf = (sheetId: number): Means => ({
  people: [
    {
      ...{ id: 3, name: 'Ana', first_surname: 'Vega', second_surname: null, record_number: null },
      ...{ date_of_birth: null, sheet_id: sheetId },
      sheets: [{ id: sheetId, admission_date: '2026-11-20', room }],
    },
  ],
});
/** What the codes in the pictures mean. */
const SYMBOLS: Record<string, Means | 'unanswered'> = {
  gasa: of(gauze, { lot: 'L1', expiry: '2028-01-31' }),
  guante: of(largeGlove, { lot: 'G7' }),
  vencido: of(glove, { lot: 'V9', expiry: '2020-01-31' }),
  nuevo: { noted: { system: 'code', code: 'nuevo' } },
  propia: bandOf(1),
  ajena: bandOf(2),
  ajeno: { label: { kind: 'form', state: 'found', kit_id: null, form_number: 12 } },
  propio: { label: { kind: 'form', state: 'found', kit_id: null, form_number: 13 } },
};
const heap = ['gasa', 'gasa', 'guante', 'vencido', 'nuevo', null];
const asSeen = (codes: (string | null)[]) => codes.map((code, place) => seen(code, 400 * place));

interface Together {
  key: string | null;
  items: { product_id: number; quantity: number; lot?: string; serial?: string; input_method?: string }[];
}

/** Serve a ward in which several lines are recorded together. */
function serveHeap(start: () => ReturnType<typeof serveWard> = serveWard) {
  const ward = start();
  ward.symbols = SYMBOLS;
  const sent: Together[] = [];
  server.use(
    http.post(/\/consumption-details\/several$/, async ({ request }) => {
      const key = request.headers.get('Idempotency-Key');
      const { items } = (await request.json()) as Omit<Together, 'key'>;
      sent.push({ key, items });
      const details = items.map(({ quantity, product_id, lot }, place) => {
        const one = [gauze, glove, largeGlove].find(({ id }) => id === product_id) ?? gauze;
        return aDetail(200 + place, { product_id, product: one, quantity, lot });
      });
      ward.details = [...details, ...ward.details];
      ward.sheet = { ...ward.sheet, version: ward.sheet.version + 1 };
      return HttpResponse.json({ items: details }, { status: 201 });
    }),
  );
  return { ward, sent };
}

const panel = () => screen.getByRole('form', { name: 'Foto' });
const inside = () => within(panel());
const register = (name: RegExp | string) => inside().findByRole('button', { name });
const list = async () => within(await inside().findByRole('list', { name: 'Envases en la foto' }));
const amount = async (one: typeof gauze) =>
  (await list()).findByRole('textbox', { name: `Cantidad de ${nameAndCode(one)}` });

async function open() {
  await userEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Foto' }));
  await screen.findByRole('form', { name: 'Foto' });
}
/** Choose files with these names; the first content is in `a.jpg`. */
async function choose(...names: string[]) {
  const files = names.map((name) => new File(['secreto'], name, { type: 'image/jpeg' }));
  const input = inside().getByLabelText('Elegir archivo', { selector: 'input' });
  await userEvent.upload(input, files);
}

beforeEach(() => {
  vi.spyOn(HTMLInputElement.prototype, 'click');
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it('records what has no question as one batch, and asks about the rest', async () => {
  const photos = stubPhotos({ 'a.jpg': asSeen(heap) });
  const { ward, sent } = serveHeap();
  await render({ at }, { user: aNurse() });
  await open();
  await choose('a.jpg');
  const button = await register('Registrar 3');
  await waitFor(() => expect(button).toBeEnabled());
  expect(inside().getByText('5 leídos, 1 sin leer')).toBeVisible();
  expect(inside().getByText(/^Aquí hay un código/, { selector: 'span' })).toBeVisible();
  expect(inside().getByText(/^Venció/)).toBeVisible();
  expect(inside().getByText('Código desconocido: nuevo')).toBeVisible();
  expect(ward.sent).toEqual([]);
  expect(button).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() =>
    expect(sent).toMatchObject([
      {
        items: [
          { product_id: 1, quantity: 2, lot: 'L1', input_method: 'scan' },
          { product_id: 3, quantity: 1, lot: 'G7' },
        ],
      },
    ]),
  );
  const rows = within(await screen.findByRole('list', { name: 'Sin registrar' }));
  expect(await rows.findByText(/^Código desconocido: nuevo/)).toBeVisible();
  expect(rows.getByText(/^Venció/)).toBeVisible();
  expect(screen.queryByRole('form', { name: 'Foto' })).toBeNull();
  expect(photos.shown.size).toBe(0);
  await userEvent.click(await screen.findByRole('button', { name: 'Deshacer' }));
  await waitFor(() => expect(ward.details).toEqual([]));
});

it('notes an unknown code only when it is asked about', async () => {
  stubPhotos({ 'a.jpg': asSeen(['nuevo']) });
  const { ward } = serveHeap();
  const asked: string[] = [];
  server.events.on('request:start', ({ request }) => {
    if (request.url.includes('/lookup'))
      asked.push(new URL(request.url).searchParams.get('only_tried') ?? '');
  });
  await render({ at }, { user: aNurse() });
  await open();
  await choose('a.jpg');
  await userEvent.click(await register('Responder 1 pregunta'));
  expect(await screen.findByRole('list', { name: 'Sin registrar' })).toBeVisible();
  expect(asked).toEqual(['true', '']);
  expect(ward.sent).toEqual([]);
});

it('ticks a wristband of this patient', async () => {
  stubPhotos({ 'a.jpg': asSeen(['gasa', 'propia']) });
  serveHeap();
  await render({ at }, { user: aNurse() });
  await open();
  await choose('a.jpg');
  expect(await inside().findByText(/de Ana Vega: esta es su hoja\.$/)).toBeVisible();
  expect(await register('Registrar 1')).toBeEnabled();
});

it('refuses a picture with a wristband of another patient, by both names', async () => {
  stubPhotos({ 'a.jpg': asSeen(['gasa', 'ajena']) });
  const { ward, sent } = serveHeap();
  await render({ at }, { user: aNurse() });
  await open();
  await choose('a.jpg');
  const told = await inside().findByText(
    /^La foto muestra la pulsera o la hoja de contingencia de Ana Vega · 203, y esta es la hoja de /,
  );
  expect(told).toHaveTextContent(/hoja de \S+.*\. No se usa nada de esa foto\.$/);
  expect(inside().queryByRole('button', { name: /^Registrar/ })).toBeNull();
  expect([...ward.sent, ...sent]).toEqual([]);
});

it('takes a contingency form for whose packs lie beside it, as a wristband', async () => {
  stubPhotos({ 'a.jpg': asSeen(['gasa', 'propio']), 'b.jpg': asSeen(['gasa', 'ajeno']) });
  const { ward, sent } = serveHeap();
  const form = (id: number, name: string) => ({
    sheet: { id, closed: false, room: '203', patient: { ...ward.sheet.patient, name } },
  });
  server.use(
    http.get(/\/api\/contingency-forms\/12$/, () => HttpResponse.json(form(ward.sheet.id + 1, 'Eva'))),
    http.get(/\/api\/contingency-forms\/13$/, () => HttpResponse.json(form(ward.sheet.id, 'Ana'))),
  );
  await render({ at }, { user: aNurse() });
  await open();
  await choose('a.jpg');
  expect(await inside().findByText(/contingencia de Ana .*: esta es su hoja\.$/)).toBeVisible();
  await choose('b.jpg');
  expect(await inside().findByText(/contingencia de Eva .* No se usa nada de esa foto\.$/)).toBeVisible();
  expect(sent).toEqual([]);
});

it('asks how many there are if two pictures show equal packs', async () => {
  stubPhotos({ 'a.jpg': asSeen(['gasa', 'guante']), 'b.jpg': asSeen(['gasa', 'gasa']) });
  const { sent } = serveHeap();
  await render({ at }, { user: aNurse() });
  await open();
  await choose('a.jpg', 'b.jpg');
  expect(await inside().findByText('Están en más de una foto: escriba cuántos son.')).toBeVisible();
  await waitFor(async () => expect(await register('Registrar 1')).toBeEnabled());
  await userEvent.type(await amount(gauze), '2');
  await userEvent.click(await register('Registrar 3'));
  await waitFor(() => expect(sent[0]?.items).toMatchObject([{ quantity: 2 }, { quantity: 1 }]));
});

it('keeps what was read when it is stopped', async () => {
  const photos = stubPhotos({ 'a.jpg': asSeen(['gasa']) });
  photos.isHeld = true;
  const { ward } = serveHeap();
  await render({ at }, { user: aNurse() });
  await open();
  await choose('a.jpg');
  expect(await register('Registrar 1')).toBeDisabled();
  // The bar works meanwhile.
  await userEvent.type(await product(), 'gasa');
  await userEvent.clear(await product());
  await userEvent.click(inside().getByRole('button', { name: 'Detener' }));
  expect(photos.stopped).toBe(1);
  await userEvent.click(await register('Registrar 1'));
  await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 1, lot: 'L1' }]));
});

it('puts lines with lot and serial number into the outbox without network', async () => {
  stubPhotos({ 'a.jpg': asSeen(['gasa', 'unidad', 'sin red']) });
  const { ward } = serveHeap();
  ward.symbols = { ...SYMBOLS, unidad: of(glove, { lot: 'U1', serial: 'S-1' }), 'sin red': 'unanswered' };
  server.use(http.post(/\/consumption-details\/several$/, () => HttpResponse.error()));
  await render({ at }, { user: aNurse() });
  await open();
  await choose('a.jpg');
  expect(await inside().findByText('sin red espera la conexión.')).toBeVisible();
  await userEvent.click(await register('Registrar 2'));
  const items = async () => (await allEntries()).flatMap((entry) => entry.items);
  await waitFor(async () =>
    expect(await items()).toMatchObject([
      { lot: 'L1', quantity: '1' },
      { lot: 'U1', serial: 'S-1' },
    ]),
  );
  // What got no answer stays, and is looked up again when the server answers.
  ward.symbols = { ...SYMBOLS, 'sin red': of(largeGlove) };
  expect(await register('Registrar 1')).toBeVisible();
});

it.each([
  ['no.pdf', 'notAPicture', '«no.pdf» no es una foto que se pueda leer. Elija una imagen JPEG o PNG.'],
  ['IMG.HEIC', 'notAPicture', /^El navegador no puede leer «IMG.HEIC», que está en formato HEIC/],
  ['grande.jpg', 'tooLarge', /^«grande.jpg» es demasiado grande/],
  ['roto.jpg', 'noReader', /^No se pudo leer «roto.jpg»/],
  ['libro.jpg', asSeen(Array(51).fill('gasa')), /^«libro.jpg» tiene más de 50 códigos/],
  ['vacio.jpg', [], /^En la foto no hay ningún código de producto/],
  ['qr.jpg', asSeen([']Q1https://example.org/1']), /^En la foto no hay ningún código de producto/],
] as const)('says in one sentence what is wrong with %s', async (name, content, sentence) => {
  stubPhotos({ [name]: content as never });
  const { ward, sent } = serveHeap();
  await render({ at }, { user: aNurse() });
  await open();
  await choose(name);
  expect(await inside().findByRole('alert')).toHaveTextContent(sentence);
  expect(inside().getAllByRole('alert')).toHaveLength(1);
  expect(inside().queryByRole('button', { name: /^Registrar/ })).toBeNull();
  expect([...ward.sent, ...sent]).toEqual([]);
});

it('neither sends nor stores a picture', async () => {
  const photos = stubPhotos({ 'a.jpg': asSeen(heap) });
  const bodies: Promise<string>[] = [];
  server.events.on('request:start', ({ request }) => void bodies.push(request.clone().text()));
  serveHeap();
  await render({ at }, { user: aNurse() });
  await open();
  await choose('a.jpg');
  await userEvent.click(await register('Registrar 3'));
  await waitFor(async () => expect(await allEntries()).toEqual([]));
  expect((await Promise.all(bodies)).join()).not.toMatch(/secreto|a\.jpg|blob:/);
  const kept = [localStorage, sessionStorage].map((storage) => JSON.stringify({ ...storage }));
  expect(kept.join()).not.toMatch(/secreto|a\.jpg|blob:|data:/);
  expect(photos.shown.size).toBe(0);
});

it('closes with Escape, and returns the focus', async () => {
  whereMatches('(pointer: coarse)');
  const photos = stubPhotos({ 'a.jpg': asSeen(['gasa']) });
  serveHeap();
  await render({ at }, { user: aNurse() });
  const button = await screen.findByRole('button', { name: 'Foto' });
  await userEvent.click(button);
  await screen.findByRole('form', { name: 'Foto' });
  // A phone's camera opens at once.
  await waitFor(() => expect(HTMLInputElement.prototype.click).toHaveBeenCalledTimes(1));
  await choose('a.jpg');
  await register('Registrar 1');
  fireEvent.keyDown(panel(), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Foto' })).toBeNull());
  expect(screen.getByRole('button', { name: 'Foto' })).toHaveFocus();
  expect(photos.shown.size).toBe(0);
});

it('lights the frames of a row', async () => {
  stubPhotos({ 'a.jpg': asSeen(['gasa', 'gasa', 'guante']) });
  serveHeap();
  await render({ at }, { user: aNurse() });
  await open();
  await choose('a.jpg');
  const lit = () => panel().querySelectorAll('polygon[data-lit]');
  await userEvent.hover(await amount(gauze));
  await waitFor(() => expect(lit()).toHaveLength(2));
  await userEvent.unhover(await amount(gauze));
  const [first] = panel().querySelectorAll('polygon');
  await userEvent.hover(first as Element);
  expect(panel().querySelector('li[data-lit]')).toHaveTextContent(gauze.name);
});

it('waits for what an area uses the packs for', async () => {
  stubPhotos({ 'a.jpg': asSeen(['gasa', 'guante']) });
  const { sent } = serveHeap(serveArea);
  await render({ at: atArea }, { user: aNurse() });
  await open();
  await choose('a.jpg');
  const button = await register('Registrar 2');
  expect(button).toBeDisabled();
  await userEvent.click(inside().getByRole('button', { name: 'Docencia' }));
  await userEvent.click(await register('Registrar 2'));
  await waitFor(() => expect(sent).toHaveLength(1));
});
