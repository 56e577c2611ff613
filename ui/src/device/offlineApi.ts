import type { ApiRequest, Viewer } from '@/api/dependencies';
import type { AreaSheetView, PageDetailView, SheetPage, SheetView, UsualProductsView } from '@/api/generated';
import type { PublicSettings } from '@/api/generatedSignIn';
import { listAreas, listKits, lookUpProduct, readKit, searchProducts } from './catalogue';
import { storedSettings, storeSettings } from './settings';
import {
  findScannedPeople,
  forgetSheet,
  keepListedSheets,
  keepSheet,
  keptLines,
  listAreaSheets,
  listSheets,
  readAreaSheet,
  readLines,
  readSheet,
  readUsualProducts,
  readWard,
  toStoredAreaSheet,
  toStoredSheet,
} from './sheets';

const KIT = /^\/api\/kits\/(\d+)$/;
const AREA_SHEET = /^\/api\/area-sheets\/(\d+)$/;
/** Opening the page of an area, or listing its pages. */
const OF_AREA = /^\/api\/areas\/(\d+)\/(sheets?)$/;
const SHEET = /^\/api\/consumption-sheets\/(\d+)(\/[a-z-]+)?$/;

/** Answer a request from this device; null if it cannot. */
export async function readOffline({ path, params }: ApiRequest, userId: number): Promise<unknown> {
  const asked = given(params);
  const of = (...names: string[]) => Object.keys(asked).every((name) => names.includes(name));
  const text = (name: string) => (asked[name] === undefined ? undefined : String(asked[name]));
  const number = (name: string) => (asked[name] === undefined ? undefined : Number(asked[name]));
  const list = { q: text('q') ?? text('name'), page: number('page') ?? 1, limit: number('limit') ?? 25 };
  if (path === '/api/products') {
    // Answer only selectors: the list for users who maintain the catalogue shows fields that are not stored.
    if (!of('name', 'active', 'limit')) return null;
    return searchProducts({ ...list, active: asked.active as boolean | undefined });
  }
  // Facts about the pack, such as a recall, are not stored, so the server's earlier answer about it stays.
  if (path === '/api/products/lookup' && of('scan', 'gtin', 'code', 'hibc', 'text', 'only_tried')) {
    const scan = text('scan');
    const found = await lookUpProduct({
      scan,
      gtin: text('gtin'),
      code: text('code'),
      hibc: text('hibc'),
      text: text('text'),
    });
    if (!found || !scan) return found;
    const { record_authority: authority = null } = (storedSettings() ?? {}) as Partial<PublicSettings>;
    const people = await findScannedPeople(scan, found, userId, authority);
    const label = found.label && people.length > 0 ? { ...found.label, state: 'found' } : found.label;
    return { ...found, people, label };
  }
  if (path === '/api/settings') return storedSettings();
  if (path === '/api/kits')
    return of('q', 'area_id', 'page', 'limit') ? listKits({ ...list, area_id: number('area_id') }) : null;
  const [, kit] = KIT.exec(path) ?? [];
  if (kit) return readKit(Number(kit));
  const [, areaSheet] = AREA_SHEET.exec(path) ?? [];
  if (areaSheet) return readAreaSheet(Number(areaSheet), userId);
  const [, areaId, what] = OF_AREA.exec(path) ?? [];
  if (areaId) {
    const items = await listAreaSheets(Number(areaId), userId);
    if (what === 'sheet') return items[0] ?? null;
    return of() ? { items, more: false } : null;
  }
  if (path === '/api/areas') return of('q', 'page', 'limit') ? listAreas(list) : null;
  if (path === '/api/consumption-sheets')
    return of('q', 'room_id', 'area_id', 'page', 'limit', 'sort')
      ? listSheets({ ...list, room_id: number('room_id'), area_id: number('area_id') }, userId)
      : null;
  if (path === '/api/ward') return readWard(number('area_id'), userId);
  const [, sheet, part] = SHEET.exec(path) ?? [];
  if (!sheet) return null;
  if (part === undefined) return readSheet(Number(sheet), userId);
  if (part === '/consumption-details') return of('limit') ? readLines(Number(sheet), userId) : null;
  return part === '/usual-products' ? readUsualProducts(Number(sheet), userId) : null;
}

/** Store a response about open sheets or settings. */
export async function storeResponse(
  { path, params }: ApiRequest,
  answer: unknown,
  viewer: Viewer,
  isStill: () => boolean,
) {
  if (path === '/api/settings') return storeSettings(answer);
  if (path === '/api/consumption-sheets') {
    const { items } = answer as SheetPage;
    return keepListedSheets(items.filter(({ closed }) => !closed).map(toStoredSheet), viewer, isStill);
  }
  if (AREA_SHEET.test(path) || OF_AREA.test(path)) {
    const page = answer as AreaSheetView;
    return keepSheet(page.id, { area_sheet: toStoredAreaSheet(page) }, viewer, isStill);
  }
  const [, id, part] = SHEET.exec(path) ?? [];
  if (!id) return;
  const sheetId = Number(id);
  const keep = (news: Parameters<typeof keepSheet>[1]) => keepSheet(sheetId, news, viewer, isStill);
  if (part === undefined) {
    const sheet = answer as SheetView;
    if (sheet.closed) await forgetSheet(sheetId);
    else await keep({ sheet: toStoredSheet(sheet) });
  } else if (part === '/consumption-details' && !given(params).cursor && !given(params).voided) {
    await keep({ lines: keptLines(answer as PageDetailView) });
  } else if (part === '/usual-products') {
    const { items, pinned } = answer as UsualProductsView;
    await keep({ usual: items.map((product) => product.id), pinned, usual_at: new Date().toISOString() });
  }
}

const given = (params: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
