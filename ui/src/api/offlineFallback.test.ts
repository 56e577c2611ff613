import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { resetIndex } from '@/device/catalogue';
import { deviceDatabase } from '@/device/database';
import { setOfflineEnabled } from '@/device/isOfflineEnabled';
import { aNurse } from '@/test/people';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';
import { storeFor } from '@/test/store';
import { gauze } from '@/test/ward';
import { api } from './tags';

beforeEach(async () => {
  resetIndex();
  const database = await deviceDatabase();
  await database.clear('sheets');
  await database.put(
    'catalogue',
    {
      version: 1,
      fetched_at: new Date().toISOString(),
      products: [[1, 'Gasa estéril', 'GR-1', 'par', 3, false, false, true, [], false]],
      codes: [],
      kits: [],
      areas: [],
      pictures: [],
      installation: 123456,
    },
    'catalogue',
  );
});
afterEach(() => {
  vi.useRealTimers();
});

const search = (store: ReturnType<typeof storeFor>) =>
  store.dispatch(api.endpoints.listProducts.initiate({ name: 'gasa', active: true, limit: 20 }));

it('uses the device until the server answers again', async () => {
  const store = storeFor(aNurse());
  server.use(http.get('/api/products', () => HttpResponse.error()));
  const found = search(store);
  expect((await found).data?.items).toMatchObject([{ name: 'Gasa estéril', code: 'GR-1' }]);
  expect((await found).data?.items[0]?.price).toBeUndefined();

  server.use(
    http.get('/api/products', () => HttpResponse.json(aPage([gauze]))),
    http.get('/api/areas', () => HttpResponse.json(aPage([]))),
  );
  await store.dispatch(api.endpoints.listAreas.initiate({ limit: 100 }));
  await vi.waitFor(async () => expect((await search(store)).data?.items[0]?.price).toBe(0.35));
});

it('uses the device when a proxy returns 502', async () => {
  const store = storeFor(aNurse());
  server.use(http.get('/api/products', () => new HttpResponse(null, { status: 502 })));
  expect((await search(store)).data?.items).toHaveLength(1);
});

it('does not wait for a slow network', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const store = storeFor(aNurse());
  let release: () => void = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  server.use(
    http.get('/api/products', async () => {
      await held;
      return HttpResponse.json(aPage([gauze]));
    }),
  );
  const found = search(store);
  await vi.advanceTimersByTimeAsync(4_000);
  vi.useRealTimers();
  expect((await found).data?.items[0]?.price).toBeUndefined();
  release();
  await vi.waitFor(async () => expect((await search(store)).data?.items[0]?.price).toBe(0.35));
});

it('keeps HTTP errors, and failures of unknown addresses', async () => {
  const store = storeFor(aNurse());
  server.use(
    http.get('/api/products', () => HttpResponse.json({ message: 'no' }, { status: 400 })),
    http.get('/api/consumption-sheets/1', () => HttpResponse.error()),
    http.get('/api/patients', () => HttpResponse.error()),
  );
  expect((await store.dispatch(api.endpoints.listPatients.initiate({}))).error).toMatchObject({
    status: 'FETCH_ERROR',
  });
  expect((await store.dispatch(api.endpoints.readSheet.initiate({ sheetId: 1 }))).error).toMatchObject({
    status: 'FETCH_ERROR',
  });
  expect((await search(store)).error).toMatchObject({ status: 400 });
});

it('shows a stored sheet, but never answers a version check', async () => {
  const store = storeFor(aNurse());
  server.use(http.get('/api/consumption-sheets/1', () => HttpResponse.json(aSheet())));
  await store.dispatch(api.endpoints.readSheet.initiate({ sheetId: 1 }));
  await vi.waitFor(async () => expect(await (await deviceDatabase()).count('sheets')).toBe(1));
  server.use(http.get('/api/consumption-sheets/1', () => HttpResponse.error()));
  const again = { forceRefetch: true };
  const seen = await store.dispatch(api.endpoints.readSheet.initiate({ sheetId: 1 }, again));
  expect(seen.data).toMatchObject({ patient: { first_surname: 'Quispe' }, seen_at: expect.any(String) });
  expect(seen.data?.total).toBeUndefined();
  const watched = { sheetId: 1, 'If-None-Match': '"1"' };
  expect((await store.dispatch(api.endpoints.readSheet.initiate(watched))).error).toBeDefined();
});

it('stores nothing when the hospital turned offline work off', async () => {
  const store = storeFor(aNurse());
  server.use(http.get('/api/consumption-sheets/1', () => HttpResponse.json(aSheet())));
  const later = vi.spyOn(globalThis, 'setTimeout');
  const keeps = async () => {
    later.mockClear();
    await store.dispatch(api.endpoints.readSheet.initiate({ sheetId: 1 }, { forceRefetch: true }));
    return later.mock.calls.some(([, wait]) => wait === 1_000);
  };
  setOfflineEnabled(false);
  expect(await keeps()).toBe(false);
  setOfflineEnabled(true);
  expect(await keeps()).toBe(true);
});
