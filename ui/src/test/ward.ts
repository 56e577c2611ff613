import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, vi } from 'vitest';
import type {
  DetailView,
  KitView,
  ProductLookupView,
  ProductView,
  SheetSummaryView,
  SheetView,
  UseReason,
} from '@/api/generated';
import { server } from './server';
import { aPage, aSheet } from './sheets';

export const at = '/consumption-sheet-details/1/consumption-details';
export const category = { id: 1, code: 'GR', name: 'Guantes' };

export const aProduct = (id: number, name: string, price: number): ProductView => ({
  id,
  name,
  price,
  category,
  category_id: 1,
  code: `GR-${id}`,
  gtin: `10237${id}`,
  unit: 'par',
  active: true,
  decimals: 3,
  asks_lot: false,
  asks_serial: false,
  implant: false,
  also_called: [],
  plain_name: null,
  picture: null,
});

export const gauze = aProduct(1, 'Gasa estéril', 0.35);
export const glove = aProduct(2, 'Guante de nitrilo M', 0.18);
export const largeGlove = aProduct(3, 'Guante de nitrilo G', 0.18);

export const aDetail = (id: number, change: Partial<DetailView> = {}): DetailView => ({
  id,
  version: 1,
  consumption_sheet_id: 1,
  product_id: 1,
  product: gauze,
  quantity: 2,
  unit_price: 0.35,
  total: 0.7,
  staff_id: 7,
  staff: { id: 7, name: 'Lucía', first_surname: 'Paredes', second_surname: null },
  area_id: null,
  area: null,
  user_id: 2,
  created_at: '2026-11-20T12:30:00Z',
  ...change,
});

export function refusal(
  field: string | null,
  message: string,
  acknowledgeable?: boolean,
  code = 'x',
  recall_id?: number,
) {
  const [, at] = /^items\.(\d+)/.exec(field ?? '') ?? [];
  const sentence = at === undefined ? message : `Línea ${Number(at) + 1}: ${message}`;
  const errors = [{ field, code, message, acknowledgeable, recall_id }];
  return HttpResponse.json({ message: [sentence], errors }, { status: 422 });
}
export const outdated = () =>
  HttpResponse.json({ message: 'Otra persona cambió este registro.' }, { status: 412 });

export interface Sent {
  key: string | null;
  product_id: number;
  quantity: number;
  staff_id?: number;
  area_id?: number;
  lot?: string;
  expiry?: string;
  serial?: string;
  gtin?: string;
  acknowledged?: string[];
  recall_reason?: string;
  implant_reason?: string;
  use_reason?: UseReason;
}

/**
 * Serve a ward with one sheet.
 *
 * Recorded lines appear when the list is refetched.
 */
export function serveWard(
  start: { sheet?: Partial<SheetView>; details?: DetailView[]; seesPrices?: boolean } = {},
) {
  const { seesPrices = true } = start;
  const ward = {
    sheet: aSheet(start.sheet),
    details: start.details ?? [],
    sent: [] as Sent[],
    searched: [] as (string | null)[],
    lookedUp: [] as string[],
    /** Responses to scanned symbols. The products' own codes are known without them. */
    symbols: {} as Record<string, Partial<ProductLookupView> | 'unanswered'>,
    /** Products found by a code of any kind. */
    byText: {} as Record<string, ProductView>,
    /** Look-ups wait for this. */
    slow: (_scan: string) => Promise.resolve(),
    usual: [] as ProductView[],
    pinned: [] as number[],
    changed: [] as number[],
    kits: [] as KitView[],
    /** Page size of the list of lines. */
    atATime: 100,
    summary: {} as Partial<SheetSummaryView>,
    deleted: [] as string[],
    /** Number of version checks, and of reads of the sheet. */
    looked: 0,
    read: 0,
    sheetIsGone: false,
    /** Response instead of recording. */
    refuse: undefined as ((sent: Sent) => Response | undefined) | undefined,
    /** Warnings to return with a recorded line. */
    warn: undefined as ((sent: Sent) => DetailView['warnings']) | undefined,
    /** Recording waits for this. */
    held: Promise.resolve(),
  };
  /** Hold recording until the returned function is called. */
  const hold = () => {
    let release = () => {};
    ward.held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  const conceal = ({ unit_price, total, ...rest }: DetailView) =>
    seesPrices ? { ...rest, unit_price, total } : { ...rest, product: { ...rest.product, price: undefined } };
  server.use(
    http.get('/api/consumption-sheets/1/version', ({ request }) => {
      ward.looked += 1;
      const { version } = ward.sheet;
      if (ward.sheetIsGone) return HttpResponse.json({ message: 'No está.' }, { status: 404 });
      const known = new URL(request.url).searchParams.get('version');
      return known === String(version)
        ? new HttpResponse(null, { status: 204 })
        : HttpResponse.json({ version });
    }),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([ward.sheet]))),
    http.get('/api/consumption-sheets/1', () => {
      if (ward.sheetIsGone) return HttpResponse.json({ message: 'No está.' }, { status: 404 });
      ward.read += 1;
      const cents = ward.details.reduce((sum, { total = 0 }) => sum + Math.round(total * 100), 0);
      return HttpResponse.json({
        ...ward.sheet,
        consumptions: [{ created_at: '2026-11-20', details: ward.details.length }],
        total: seesPrices ? cents / 100 : undefined,
      });
    }),
    http.get('/api/consumption-sheets/1/consumption-details', ({ request }) => {
      const from = Number(new URL(request.url).searchParams.get('cursor') ?? 0);
      const items = ward.details.slice(from, from + ward.atATime).map(conceal);
      const end = from + ward.atATime;
      const rest = ward.details.length > end ? { next: String(end) } : {};
      return HttpResponse.json({
        items,
        meta: { page: 1, limit: 100, total: ward.details.length, pages: 1, ...rest },
      });
    }),
    http.post('/api/consumption-sheets/1/consumption-details', async ({ request }) => {
      const sent = {
        key: request.headers.get('Idempotency-Key'),
        ...((await request.json()) as Omit<Sent, 'key'>),
      };
      ward.sent.push(sent);
      await ward.held;
      const refused = ward.refuse?.(sent);
      if (refused) return refused;
      const product = [gauze, glove, largeGlove].find(({ id }) => id === sent.product_id) ?? gauze;
      const total = Math.round((product.price ?? 0) * sent.quantity * 100) / 100;
      const detail = aDetail(100 + ward.details.length, {
        product_id: product.id,
        product,
        quantity: sent.quantity,
        unit_price: product.price,
        total,
        lot: sent.lot,
        expiry: sent.expiry,
        serial: sent.serial,
        use_reason: sent.use_reason,
      });
      ward.details = [detail, ...ward.details];
      ward.sheet = { ...ward.sheet, version: ward.sheet.version + 1 };
      const warnings = ward.warn?.(sent);
      return HttpResponse.json({ ...conceal(detail), ...(warnings && { warnings }) }, { status: 201 });
    }),
    http.get('/api/products/lookup', async ({ request }) => {
      const scan = new URL(request.url).searchParams.get('scan') ?? '';
      const asked = Object.fromEntries(new URL(request.url).searchParams);
      ward.lookedUp.push(asked.scan ?? JSON.stringify(asked));
      await ward.slow(scan);
      const known = ward.symbols[scan];
      if (known === 'unanswered') return HttpResponse.error();
      const matches = [gauze, glove, largeGlove]
        .filter(
          ({ code, gtin }) =>
            code === scan ||
            gtin === scan ||
            gtin === asked.gtin ||
            ward.byText[asked.text ?? '']?.code === code,
        )
        .map((one) => ({ product: one, system: 'gtin', units: 1, label: null }));
      return HttpResponse.json({
        reading: null,
        matches,
        recall: null,
        expired: false,
        serial_used: null,
        noted: null,
        read_as: null,
        people: [],
        ...known,
      });
    }),
    http.get('/api/products', ({ request }) => {
      const name = new URL(request.url).searchParams.get('name');
      ward.searched.push(name);
      const found = [gauze, glove, largeGlove].filter(
        (product) =>
          product.code === name?.toUpperCase() ||
          product.gtin === name ||
          product.name.toLowerCase().includes(name?.toLowerCase() ?? ''),
      );
      return HttpResponse.json(aPage(found.map((one) => (seesPrices ? one : { ...one, price: undefined }))));
    }),
    http.delete('/api/consumption-details/:id', ({ params, request }) => {
      ward.deleted.push(`${params.id} ${request.headers.get('If-Match')}`);
      ward.details = ward.details.filter(({ id }) => id !== Number(params.id));
      ward.sheet = { ...ward.sheet, version: ward.sheet.version + 1 };
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('/api/consumption-sheets/1/summary', () =>
      HttpResponse.json({
        consumption_sheet_id: 1,
        lines: ward.details.length,
        total: seesPrices ? ward.details.reduce((sum, { total = 0 }) => sum + total, 0) : undefined,
        days: [],
        categories: [],
        recordable_from: null,
        without_quantity: [],
        far_out: [],
        incomplete_implants: [],
        without_price: seesPrices ? [] : undefined,
        unlisted_items: [],
        version: ward.sheet.version,
        ...ward.summary,
      }),
    ),
    http.get('/api/consumption-sheets/1/usual-products', () =>
      HttpResponse.json({ items: ward.usual, pinned: ward.pinned, changed: ward.changed }),
    ),
    http.put('/api/products/:id/favourite', ({ params }) => {
      ward.pinned.push(Number(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete('/api/products/:id/favourite', ({ params }) => {
      ward.pinned = ward.pinned.filter((id) => id !== Number(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('/api/areas/2', () => HttpResponse.json({ id: 2, name: 'UCI' })),
    http.get('/api/areas', () => HttpResponse.json(aPage([]))),
    http.get('/api/kits', () => HttpResponse.json(aPage(ward.kits))),
  );
  return Object.assign(ward, { hold });
}

export const product = () => screen.findByRole('combobox', { name: 'Producto' });
export const quantity = () => screen.getByRole('textbox', { name: 'Cantidad' });
export const rows = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

/** Record a line like a user: search, Enter, quantity, Enter. */
export async function record(search: string, amount: string) {
  await userEvent.type(await product(), `${search}{Enter}`);
  await waitFor(() => expect(quantity()).toHaveFocus());
  await userEvent.keyboard(`${amount}{Enter}`);
}

/** Make media queries with these words match. */
export const whereMatches = (words: string) =>
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      ({
        matches: media.includes(words),
        media,
        addEventListener: () => {},
        removeEventListener: () => {},
      }) as unknown as MediaQueryList,
  );
