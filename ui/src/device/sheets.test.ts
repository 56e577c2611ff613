import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Viewer } from '@/api/dependencies';
import type { PageDetailView, WardView } from '@/api/generated';
import { anAreaSheet } from '@/test/area';
import { aPage, aSheet } from '@/test/sheets';
import { aDetail } from '@/test/ward';
import { deviceDatabase } from './database';
import { readOffline, storeResponse } from './offlineApi';
import { findScannedPeople, readLines, readSheet, sheetsOf } from './sheets';

const HOUR = 3_600_000;
const NURSE: Viewer = { userId: 2, tokenEnds: null };
const still = () => true;

const ask = (path: string, params: Record<string, unknown> = {}, userId = 2) =>
  readOffline({ path, params }, userId);
const keep = (id: number, answer: unknown, part = '', viewer = NURSE, isStill = still, params = {}) =>
  storeResponse({ path: `/api/consumption-sheets/${id}${part}`, params }, answer, viewer, isStill);
const stored = async () => (await deviceDatabase()).getAll('sheets');

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T14:02:00Z') });
  await (await deviceDatabase()).clear('sheets');
});
afterEach(() => {
  vi.useRealTimers();
});

it('stores the place and admission, but nothing about costs', async () => {
  const detail = aDetail(9, { lot: 'L1' });
  await keep(1, aSheet({ consumptions: [{ created_at: '2026-11-20T12:30:00Z', details: 1 }] }));
  await keep(1, aPage([detail]), '/consumption-details');
  const text = JSON.stringify(await stored());
  for (const secret of ['1234.5', '0.35', '0.7', 'price', 'total', '"GR"', 'Apendicitis', 'Cisneros'])
    expect(text).not.toContain(secret);
  expect(await readSheet(1, 2)).toEqual({
    ...aSheet(),
    total: undefined,
    diagnosis: '',
    doctor: '',
    consumptions: [{ created_at: '2026-11-20T12:30:00Z', details: 1 }],
    version: 0,
    seen_at: '2026-11-20T14:02:00.000Z',
  });
  const [line] = (await readLines(1, 2))?.items ?? [];
  expect(line).toMatchObject({ id: 9, quantity: 2, lot: 'L1', product: { id: 1, name: 'Gasa estéril' } });
  expect(line?.total).toBeUndefined();
  expect(line?.unit_price).toBeUndefined();
});

it('stores the latest 100 lines; no later pages, no voided ones', async () => {
  await keep(1, aSheet());
  const lines = Array.from({ length: 120 }, (_, at) => aDetail(at + 1));
  await keep(1, aPage(lines), '/consumption-details');
  await keep(1, aPage([aDetail(500)]), '/consumption-details', NURSE, still, { cursor: 'x' });
  await keep(1, aPage([aDetail(500)]), '/consumption-details', NURSE, still, { voided: 'only' });
  const found = (await ask('/api/consumption-sheets/1/consumption-details', {
    limit: 100,
  })) as PageDetailView;
  expect(found.items.map(({ id }) => id)).toEqual(lines.slice(0, 100).map(({ id }) => id));
});

it('answers only the user who saw it, and then deletes it', async () => {
  await keep(1, aSheet());
  expect(await ask('/api/consumption-sheets/1', {}, 3)).toBeNull();
  expect(await stored()).toEqual([]);
});

it('deletes all with the session, and stores nothing later', async () => {
  await keep(1, aSheet());
  expect(await sheetsOf(null)).toEqual([]);
  expect(await stored()).toEqual([]);
  await keep(1, aSheet(), '', NURSE, () => false);
  expect(await stored()).toEqual([]);
});

it.each([
  ['after twelve hours', null, 12 * HOUR],
  ['with the life of the token', Date.parse('2026-11-20T15:02:00Z'), HOUR],
])('expires %s', async (_, tokenEnds, after) => {
  await keep(1, aSheet(), '', { userId: 2, tokenEnds });
  vi.setSystemTime(Date.parse('2026-11-20T14:02:00Z') + after - 5 * 60_000);
  expect(await ask('/api/consumption-sheets/1')).not.toBeNull();
  vi.setSystemTime(Date.parse('2026-11-20T14:02:00Z') + after);
  expect(await ask('/api/consumption-sheets/1')).toBeNull();
  expect(await stored()).toEqual([]);
});

it('keeps the 150 latest sheets', async () => {
  for (let id = 1; id <= 152; id += 1) {
    vi.setSystemTime(Date.parse('2026-11-20T14:02:00Z') + id * 1000);
    await keep(id, aSheet({ id }));
  }
  expect((await stored()).map(({ id }) => id)).toEqual(Array.from({ length: 150 }, (_, at) => at + 3));
});

it('stores listed sheets, but never over a viewed one', async () => {
  await keep(1, aSheet());
  await keep(1, aPage([aDetail(1)]), '/consumption-details');
  const moved = { room_id: 6, room: { id: 6, name: 'UCI 1', area_id: 3 } };
  const listed = [aSheet(moved), aSheet({ id: 2, ...moved }), aSheet({ id: 3, closed: true })];
  await storeResponse({ path: '/api/consumption-sheets', params: {} }, aPage(listed), NURSE, still);
  expect(await ask('/api/consumption-sheets/1')).toMatchObject({ room: { name: '201-A' } });
  expect(await ask('/api/consumption-sheets/1')).not.toHaveProperty('lines_missing');
  expect(await ask('/api/consumption-sheets/2')).toMatchObject({
    room: { name: 'UCI 1' },
    lines_missing: true,
  });
  expect(await readLines(2, 2)).toMatchObject({ items: [] });
  expect(await ask('/api/consumption-sheets/3')).toBeNull();
});

it('deletes listed sheets before viewed ones', async () => {
  await keep(1, aSheet());
  await keep(1, aPage([aDetail(1)]), '/consumption-details');
  vi.setSystemTime(Date.parse('2026-11-20T14:10:00Z'));
  const listed = Array.from({ length: 160 }, (_, at) => aSheet({ id: at + 2 }));
  await storeResponse({ path: '/api/consumption-sheets', params: {} }, aPage(listed), NURSE, still);
  expect(await stored()).toHaveLength(150);
  expect(await ask('/api/consumption-sheets/1')).not.toBeNull();
});

it('deletes a closed sheet, and ignores one with only lines', async () => {
  await keep(1, aSheet());
  await keep(1, aSheet({ closed: true }));
  await keep(2, aPage([aDetail(1)]), '/consumption-details');
  expect(await ask('/api/consumption-sheets/1')).toBeNull();
  expect(await ask('/api/consumption-sheets/2')).toBeNull();
});

it('lists and searches sheets, and answers no other queries', async () => {
  await keep(1, aSheet());
  await keep(
    2,
    aSheet({ id: 2, admission_date: '2026-11-19', room_id: 6, room: { id: 6, name: 'UCI 1', area_id: 3 } }),
  );
  const found = async (params: object) =>
    ((await ask('/api/consumption-sheets', { ...params })) as { items: { id: number }[] } | null)?.items.map(
      ({ id }) => id,
    );
  await keep(3, aSheet({ id: 3, room_id: 7, room: { id: 7, name: 'UCI 10', area_id: 4 } }));
  expect(await found({ page: 1, sort: 'room' })).toEqual([1, 2, 3]);
  expect(await found({ q: 'quispe uci' })).toEqual([2, 3]);
  expect(await found({ room_id: 5 })).toEqual([1]);
  expect(await found({ area_id: 3 })).toEqual([2]);
  expect(await found({ closed: true })).toBeUndefined();
  expect(await ask('/api/consumption-sheets')).toMatchObject({ seen_at: '2026-11-20T14:02:00.000Z' });
  expect(await ask('/api/patients')).toBeNull();
});

it('draws the ward from its sheets, by room and without prices', async () => {
  const listed = aSheet({
    id: 2,
    room_id: 6,
    room: { id: 6, name: '10', area_id: 2 },
    consumptions: [
      { created_at: '2026-11-19T08:00:00Z', details: 4 },
      { created_at: '2026-11-20T08:00:00Z', details: 3 },
    ],
  });
  const elsewhere = aSheet({ id: 3, room_id: 7, room: { id: 7, name: '1', area_id: 9 } });
  await storeResponse(
    { path: '/api/consumption-sheets', params: {} },
    aPage([listed, elsewhere]),
    NURSE,
    still,
  );
  await keep(1, aSheet({ room: { id: 5, name: '9', area_id: 2 } }));
  await keep(1, aPage([aDetail(9, { created_at: '2026-11-18T09:30:00Z' })]), '/consumption-details');
  const ward = (await ask('/api/ward', { area_id: 2 })) as WardView;
  expect(JSON.stringify(ward)).not.toContain('1234.5');
  expect(ward).toMatchObject({ day: '2026-11-20', seen_at: '2026-11-20T14:02:00.000Z', is_partial: true });
  const [first, second] = ward.rooms;
  expect(ward.rooms.map(({ name }) => name)).toEqual(['9', '10']);
  // The time of the last line is known from lines, its day from a list.
  expect(first?.sheets).toMatchObject([{ id: 1, lines_today: 0, last_recorded_at: '2026-11-18T09:30:00Z' }]);
  expect(second?.sheets).toMatchObject([
    { id: 2, lines_today: 3, last_recorded_at: '2026-11-20T08:00:00Z', lines_missing: true },
  ]);
  expect(((await ask('/api/ward')) as WardView).rooms.map(({ name }) => name)).toEqual(['1', '9', '10']);
  expect(await ask('/api/ward', {}, 3)).toBeNull();
});

it('finds wristbands only for the user who saw the sheet', async () => {
  const patient = { ...aSheet().patient, record_number: 'EXP-2026-0013' };
  await keep(1, aSheet({ patient }));
  const nothing = { reading: null, matches: [], read_as: null, label: null };
  const find = (scan: string, userId: number) => findScannedPeople(scan, nothing, userId, null);
  expect(await find(' exp-2026-0013 ', 2)).toMatchObject([
    { id: 11, record_number: 'EXP-2026-0013', sheets: [{ id: 1, room: { name: '201-A' } }] },
  ]);
  expect(await find('EXP-2026-0014', 2)).toEqual([]);
  expect(await find('EXP-2026-0013', 3)).toEqual([]);
});

it('stores the settings, for the time zone offline', async () => {
  const settings = { currency: 'MXN', time_zone: 'America/Mexico_City' };
  await storeResponse({ path: '/api/settings', params: {} }, settings, NURSE, still);
  expect(await ask('/api/settings')).toEqual(settings);
});

it('stores the page of an area without its value, apart from sheets', async () => {
  const days = [{ created_at: '2026-11-20', details: 1, value: 8765.43 }];
  const page = anAreaSheet({ id: 7, lines: 1, value: 8765.43, consumptions: days });
  await storeResponse({ path: '/api/areas/2/sheet', params: {} }, page, NURSE, still);
  await storeResponse(
    { path: '/api/area-sheets/6', params: {} },
    { ...page, id: 6, month: '2026-10' },
    NURSE,
    still,
  );
  const line = aDetail(9, { use_reason: 'cleaning', unbilled: 'area' });
  await keep(7, aPage([line]), '/consumption-details');
  expect(JSON.stringify(await stored())).not.toMatch(/8765|0\.35|price|value|unbilled/);
  // Opening the area without network leads to its latest page.
  expect(await ask('/api/areas/2/sheet')).toMatchObject({
    id: 7,
    lines: 1,
    version: 0,
    area: { id: 2, name: 'UCI' },
  });
  expect(await ask('/api/areas/2/sheets')).toMatchObject({ items: [{ id: 7 }, { id: 6 }], more: false });
  expect(await ask('/api/areas/3/sheet')).toBeNull();
  expect(await ask('/api/area-sheets/7', {}, 3)).toBeNull();
});

it('answers an area with the lines and products of its page', async () => {
  await storeResponse({ path: '/api/area-sheets/7', params: {} }, anAreaSheet({ id: 7 }), NURSE, still);
  await keep(7, aPage([aDetail(9, { use_reason: 'cleaning' })]), '/consumption-details');
  expect((await readLines(7, 2))?.items).toMatchObject([{ id: 9, use_reason: 'cleaning' }]);
  expect(await ask('/api/consumption-sheets/7')).toBeNull();
  expect(await ask('/api/consumption-sheets', { page: 1, limit: 25 })).toBeNull();
  expect(await ask('/api/ward')).toBeNull();
});
