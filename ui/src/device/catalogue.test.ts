import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProductLookupView, VersionedCatalogueView } from '@/api/generated';
import { codeKey, foldPerson } from '@/i18n/fold';
import { gtinKey } from '@/symbols/gtin';
import { aPage, aSheet } from '@/test/sheets';
import {
  isProductCode,
  listAreas,
  listKits,
  loadIndex,
  lookUpProduct,
  refreshCatalogue,
  resetIndex,
  searchProducts,
} from './catalogue';
import { deviceDatabase } from './database';
import { readOffline, storeResponse } from './offlineApi';
import { storeSettings } from './settings';

interface Cases {
  products: {
    name: string;
    code?: string;
    gtin?: string;
    unit?: string;
    active?: boolean;
    also_called?: string[];
  }[];
  codes: { product: string; system: string; code: string; units: number; label: string | null }[];
  searches: { q: string; active?: boolean; finds: string[] }[];
  people: Record<string, string[]>;
  patients: { record_number: string; visit_number?: string }[];
  wristbands: { scan: string; finds: string[] }[];
  scans: { scan: string; finds: string[]; units?: number; reads: object | null; read_as?: string }[];
}
// The server's list and look-up are tested with the same table: tests/contracts/people/test_search_cases.py.
const cases: Cases = JSON.parse(readFileSync('../tests/search_cases.json', 'utf8'));

const idOf = (name: string) => cases.products.findIndex((product) => product.name === name) + 1;

const catalogue: VersionedCatalogueView = {
  version: 7,
  installation: 123456,
  products: cases.products.map(({ name, code = null, unit = null, active = true, also_called = [] }, at) => [
    at + 1,
    name,
    code,
    unit,
    3,
    false,
    false,
    active,
    also_called,
    false,
  ]),
  codes: [
    ...cases.products.flatMap(({ gtin }, at): VersionedCatalogueView['codes'] =>
      gtin ? [[at + 1, 'gtin', gtinKey(gtin), 1, null]] : [],
    ),
    ...cases.codes.map(({ product, system, code, units, label }): VersionedCatalogueView['codes'][number] => [
      idOf(product),
      system,
      system === 'gtin' ? gtinKey(code) : codeKey(code),
      units,
      label,
    ]),
  ],
  kits: [
    [1, 'Vía periférica', null, [[1, 2, false]]],
    [2, 'Curación', 5, [[3, 0.5, true]]],
    [3, 'Drenaje', 6, [[3, 1, false]]],
  ],
  areas: [
    [6, 'Urgencias'],
    [5, 'Árbol'],
  ],
  pictures: [[1, 'abc123']],
};

async function put(fetched_at = new Date().toISOString()) {
  resetIndex();
  await (await deviceDatabase()).put('catalogue', { ...catalogue, fetched_at }, 'catalogue');
}

beforeEach(() => put());

const all = { page: 1, limit: 100 };

it.each(cases.searches)('finds for "$q" the same products as the server', async ({ q, active, finds }) => {
  const found = await searchProducts({ ...all, q, active });
  expect(found?.items.map(({ name }) => name)).toEqual(finds);
});

it.each(Object.entries(cases.people))('folds names of people to "%s" like the server', (folded, names) => {
  expect(new Set(names.map(foldPerson))).toEqual(new Set([folded]));
});

const UNREAD = {
  gtin: null,
  lot: null,
  expiry: null,
  serial: null,
  count: null,
  separator_lost: false,
  expiry_unreadable: false,
  incomplete: false,
  bare: false,
};

it.each(cases.scans)(
  'reads $scan like the server',
  async ({ scan, finds, units = 1, reads, read_as = null }) => {
    const found = await lookUpProduct({ scan });
    expect(found?.matches.map(({ product }) => product.name)).toEqual(finds);
    expect(found?.matches.map((match) => match.units)).toEqual(finds.map(() => units));
    expect(found?.reading).toEqual(reads && { ...UNREAD, ...reads });
    expect(found?.read_as).toBe(read_as);
  },
);

it('finds products by typed codes and by the codes of lines', async () => {
  const named = async (asked: Parameters<typeof lookUpProduct>[0]) =>
    (await lookUpProduct(asked))?.matches.map(({ product }) => product.name);
  expect(await named({ gtin: '7501234567893' })).toEqual(['Gasa estéril 10 × 10']);
  expect(await named({ code: 'mc-0005' })).toEqual(['Gasa estéril 10 × 10']);
  expect(await named({ code: 'PROV-77' })).toEqual([]);
  expect(await named({ text: '4006381333931' })).toEqual(['Cánula nasal']);
  expect(await named({ text: 'prov-77' })).toEqual(['Sutura 30']);
  expect(await named({ hibc: '+a99912345/9901b' })).toEqual(['Cánula nasal']);
});

it('knows without waiting which texts are codes of products', async () => {
  expect(isProductCode('7501234567893')).toBeUndefined();
  await loadIndex();
  const known = ['7501234567893', '07501234567893', 'mc-0005', 'prov-77'];
  expect(known.filter(isProductCode)).toEqual(known);
  expect(['47501234567893', '4', '', 'gasa'].filter(isProductCode)).toEqual([]);
});

it('answers no look-up of a lot, as it knows no recalls', async () => {
  const ask = (params: Record<string, string>) => readOffline({ path: '/api/products/lookup', params }, 2);
  expect(await ask({ gtin: '7501234567893' })).not.toBeNull();
  expect(await ask({ gtin: '7501234567893', lot: 'L1' })).toBeNull();
});

it('returns a product without its price and category', async () => {
  const found = await searchProducts({ ...all, q: 'mc-0005' });
  expect(found?.items).toEqual([
    {
      id: 1,
      name: 'Gasa estéril 10 × 10',
      code: 'MC-0005',
      gtin: '07501234567893',
      unit: 'sobre',
      decimals: 3,
      asks_lot: false,
      asks_serial: false,
      implant: false,
      active: true,
      also_called: [],
      plain_name: null,
      picture: 'abc123',
      category_id: 0,
      category: { id: 0, name: '' },
    },
  ]);
});

it('returns a page with the total', async () => {
  const found = await searchProducts({ q: 'gasa', page: 2, limit: 1 });
  expect(found?.items.map(({ name }) => name)).toEqual(['Gasa estéril 30 × 30']);
  expect(found?.meta).toEqual({ page: 2, limit: 1, total: 2, pages: 2 });
});

it('sorts kits by area and name, and areas by name', async () => {
  const kits = await listKits({ ...all, area_id: 5 });
  expect(kits?.items.map(({ name, area }) => [name, area?.name])).toEqual([
    ['Curación', 'Árbol'],
    ['Vía periférica', undefined],
  ]);
  expect(kits?.items[0]?.lines).toEqual([
    {
      product_id: 3,
      quantity: 0.5,
      optional: true,
      product: { id: 3, name: 'Cánula nasal', code: '00123', unit: null, active: true },
    },
  ]);
  expect((await listAreas(all))?.items.map(({ name }) => name)).toEqual(['Árbol', 'Urgencias']);
  expect((await listAreas({ ...all, q: 'arb' }))?.items).toHaveLength(1);
});

describe('the stored catalogue', () => {
  const read = async () => (await deviceDatabase()).get('catalogue', 'catalogue');
  const HOUR = 3_600_000;
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

  it('is not refreshed while it is fresh', async () => {
    await put(hoursAgo(5.9));
    await refreshCatalogue(async () => expect.unreachable());
  });

  it('stays, and becomes fresh, if its version is still current', async () => {
    await put(hoursAgo(6.1));
    await refreshCatalogue(async (known) => {
      expect(known).toBe(7);
      return null;
    });
    const kept = await read();
    expect(kept?.products).toHaveLength(cases.products.length);
    expect(Date.now() - Date.parse(kept?.fetched_at ?? '')).toBeLessThan(HOUR);
  });

  it('is replaced by a newer one, which searches use at once', async () => {
    await put(hoursAgo(7));
    expect((await searchProducts({ ...all, q: 'gasa' }))?.items).toHaveLength(2);
    await refreshCatalogue(async () => ({ ...catalogue, version: 8, products: catalogue.products.slice(1) }));
    expect((await searchProducts({ ...all, q: 'gasa' }))?.items).toHaveLength(1);
    expect((await read())?.version).toBe(8);
  });

  it('stays without a response, and may be missing', async () => {
    await put(hoursAgo(7));
    await refreshCatalogue(async () => undefined);
    expect((await read())?.version).toBe(7);
    resetIndex();
    await (await deviceDatabase()).clear('catalogue');
    expect(await searchProducts({ ...all, q: 'gasa' })).toBeNull();
    expect(await lookUpProduct({ scan: 'MC-0005' })).toBeNull();
    await refreshCatalogue(async (known) => {
      expect(known).toBeUndefined();
      return catalogue;
    });
    expect((await searchProducts({ ...all, q: 'gasa' }))?.items).toHaveLength(2);
  });
});

it('finds the patient of a wristband like the server', async () => {
  await put();
  const items = cases.patients.map(({ record_number, visit_number = null }, at) =>
    aSheet({ id: at + 1, visit_number, patient: { ...aSheet().patient, id: at + 1, record_number } }),
  );
  const nurse = { userId: 2, tokenEnds: null };
  await storeResponse({ path: '/api/consumption-sheets', params: {} }, aPage(items), nurse, () => true);
  const labels: Record<string, string> = { '{label}': 'CNSS123456130', '{damaged label}': 'CNSS123456131' };
  for (const { scan, finds } of cases.wristbands) {
    const asked = { path: '/api/products/lookup', params: { scan: labels[scan] ?? scan, only_tried: true } };
    const { people } = (await readOffline(asked, 2)) as ProductLookupView;
    expect(
      people.map(({ record_number }) => record_number),
      scan,
    ).toEqual(finds);
  }
});

it('ignores a wristband of another hospital', async () => {
  await put();
  storeSettings({ record_authority: 'HOSP' });
  const patient = { ...aSheet().patient, record_number: 'EXP-2026-0013' };
  const nurse = { userId: 2, tokenEnds: null };
  await storeResponse(
    { path: '/api/consumption-sheets/1', params: {} },
    aSheet({ patient }),
    nurse,
    () => true,
  );
  const look = async (scan: string) =>
    ((await readOffline({ path: '/api/products/lookup', params: { scan } }, 2)) as ProductLookupView).people;
  expect(await look('EXP-2026-0013^^^OTRO')).toEqual([]);
  expect(await look('EXP-2026-0013^^^hosp&1.2')).toHaveLength(1);
  storeSettings({ record_authority: 'OTHER&1.2, HOSP' });
  expect(await look('EXP-2026-0013^^^OTRO&1.2&ISO')).toHaveLength(1);
  expect(await look('EXP-2026-0013^^^OTHER&1.3&ISO')).toEqual([]);
});

it('finds products and kits of labels like the server', async () => {
  await put();
  const look = async (scan: string) =>
    (await readOffline(
      { path: '/api/products/lookup', params: { scan, only_tried: true } },
      2,
    )) as ProductLookupView;
  const product = await look('CNSR123456261');
  expect(product.matches.map((match) => match.product.id)).toEqual([2]);
  expect(product.label).toEqual({ kind: 'product', state: 'found', kit_id: null });
  expect((await look('CNSP65432174205')).label?.state).toBe('foreign');
  expect((await look('CNSK123456295')).label).toEqual({ kind: 'kit', state: 'found', kit_id: 2 });
  expect(await readOffline({ path: '/api/kits/2', params: {} }, 2)).toMatchObject({ name: 'Curación' });
  // It may be the user's own kit, which the device does not know.
  expect((await look('CNSK1234569925')).label).toBeNull();
  expect((await look('CNSR123456262')).label).toBeNull();
});
