import type { IDBPObjectStore } from 'idb';
import type { Viewer } from '@/api/dependencies';
import type {
  AreaSheetView,
  DetailView,
  PageDetailView,
  ProductLookupView,
  ScannedPersonView,
  SheetPage,
  SheetView,
  UsualProductsView,
  WardRoomView,
  WardSheetView,
  WardView,
} from '@/api/generated';
import type { PublicSettings } from '@/api/generatedSignIn';
import { codeKey, foldPerson, numberCode } from '@/i18n/fold';
import { clockOf } from '@/i18n/hospitalClock';
import { parseBarcode } from '@/symbols/gs1';
import { parseLabel } from '@/symbols/label';
import { listAreas, readProducts } from './catalogue';
import { askStore, type DeviceSchema } from './database';
import { storedSettings } from './settings';
import {
  type KeptAreaSheet,
  type KeptLine,
  type KeptSheet,
  STORED_AREA_SHEET_FIELDS,
  STORED_LINE_FIELDS,
  STORED_SHEET_FIELDS,
  type StoredSheet,
} from './storedShapes';

const AT_MOST = 150;
const LINES = 100;
const HOURS = 12;

/** When the copy was stored, whether a sheet lacks its lines, and whether a ward lacks its rooms without a sheet. */
export interface Seen {
  seen_at?: string;
  lines_missing?: boolean;
  is_partial?: boolean;
}

type News = Partial<Pick<StoredSheet, 'sheet' | 'area_sheet' | 'lines' | 'usual' | 'pinned' | 'usual_at'>>;

/**
 * Store what the user sees of an open sheet.
 *
 * Nothing is stored once `isStill` says that the user is no longer signed in.
 */
export async function keepSheet(
  id: number,
  news: News,
  { userId, tokenEnds }: Viewer,
  isStill: () => boolean,
) {
  await askSheets(async (store) => {
    const kept = await store.get(id);
    if (!isStill()) return;
    await store.put({
      ...(kept?.user_id === userId ? kept : NOTHING_SEEN),
      id,
      user_id: userId,
      ...news,
      ...seenNow(tokenEnds),
    });
    await deleteOldest(store);
  });
}

/**
 * Store sheets from a list, unless the device has their lines already.
 *
 * The list has no lines.
 */
export async function keepListedSheets(
  sheets: KeptSheet[],
  { userId, tokenEnds }: Viewer,
  isStill: () => boolean,
) {
  await askSheets(async (store) => {
    const known = new Map((await store.getAll()).map((one) => [one.id, one]));
    if (!isStill()) return;
    for (const sheet of sheets) {
      const kept = known.get(sheet.id);
      if (kept?.user_id === userId && kept.lines) continue;
      await store.put({ ...NOTHING_SEEN, id: sheet.id, user_id: userId, sheet, ...seenNow(tokenEnds) });
    }
    await deleteOldest(store);
  });
}

const NOTHING_SEEN = { sheet: null, lines: null, usual: [], pinned: [] };

function seenNow(tokenEnds: number | null) {
  const now = Date.now();
  const until = Math.min(now + HOURS * 3_600_000, tokenEnds ?? Number.POSITIVE_INFINITY);
  return { seen_at: new Date(now).toISOString(), until: new Date(until).toISOString() };
}

type SheetStore = IDBPObjectStore<DeviceSchema, ['sheets'], 'sheets', 'readwrite'>;

const askSheets = <Answer>(ask: (store: SheetStore) => Promise<Answer>) =>
  askStore('sheets', (database) => ask(database.transaction('sheets', 'readwrite').store));

/** Delete the oldest sheets over the limit, those without lines first. */
async function deleteOldest(store: SheetStore) {
  const rank = ({ lines, seen_at }: StoredSheet) => `${lines ? 1 : 0} ${seen_at}`;
  const latest = (await store.getAll()).sort((one, other) => (rank(one) < rank(other) ? 1 : -1));
  for (const { id } of latest.slice(AT_MOST)) await store.delete(id);
}

export const forgetSheet = (id: number) => askSheets((store) => store.delete(id));

/** Return the user's sheets of patients, as `keptOf` does. */
export const sheetsOf = async (userId: number | null) => (await keptOf(userId)).filter(({ sheet }) => sheet);

/**
 * Return the user's sheets and pages of areas, and delete expired ones and those of others.
 *
 * Without a user, all are deleted.
 */
async function keptOf(userId: number | null): Promise<StoredSheet[]> {
  const now = new Date().toISOString();
  const left: StoredSheet[] = [];
  await askSheets(async (store) => {
    for (const one of await store.getAll()) {
      if (one.user_id !== userId || one.until <= now) await store.delete(one.id);
      else if (one.sheet || one.area_sheet) left.push(one);
    }
  });
  return left;
}

const picked = <View extends object, Key extends keyof View>(view: View, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, view[key]])) as Pick<View, Key>;

/** Copy a sheet field by field, so that no unexpected field is stored. */
export function toStoredSheet(sheet: SheetView): KeptSheet {
  const { id, name, first_surname, second_surname, record_number, date_of_birth } = sheet.patient;
  const patient = { id, name, first_surname, second_surname, record_number, date_of_birth };
  return { ...picked(sheet, STORED_SHEET_FIELDS), patient };
}

/** Copy an area's page field by field, so that no value is stored. */
export function toStoredAreaSheet(page: AreaSheetView): KeptAreaSheet {
  const consumptions = page.consumptions.map((day) => picked(day, ['created_at', 'details']));
  const { id, name } = page.area;
  return { ...picked(page, STORED_AREA_SHEET_FIELDS), area: { id, name }, consumptions };
}

type Scan = Pick<ProductLookupView, 'reading' | 'matches' | 'read_as' | 'label'>;

/**
 * Find patients of stored sheets by a scanned wristband or label.
 *
 * It equals `find_people` of application/scanning/scans.py. `authority` is the assigner of the hospital's record numbers.
 */
export async function findScannedPeople(
  raw: string,
  scan: Scan,
  userId: number,
  authority: string | null,
): Promise<ScannedPersonView[]> {
  const { text, gsrn } = parseBarcode(raw);
  if (scan.reading && !scan.reading.bare && !gsrn) return [];
  const kept = (await sheetsOf(userId)).map(sheetOf);
  const label = scan.label && scan.label.state !== 'foreign' ? parseLabel(text) : null;
  const labelled = label?.kind === 'sheet' ? label.number : null;
  const numbers = (gsrn ? [gsrn] : [text, scan.read_as]).flatMap(
    (one) => (one && scannedNumber(one, authority)) || [],
  );
  const having = (isSame: (number: string, other: string) => boolean) => {
    for (const number of numbers) {
      const found = kept.filter(({ patient, visit_number }) =>
        [patient.record_number, visit_number].some((one) => one && isSame(one, number)),
      );
      if (found.length > 0) return found;
    }
    return [];
  };
  let found = kept.filter(
    ({ id, patient }) => id === labelled || (label?.kind === 'patient' && patient.id === label.number),
  );
  if (found.length === 0 && !scan.label) found = having((one, other) => codeKey(one) === codeKey(other));
  if (found.length === 0 && !scan.label && scan.matches.length === 0)
    found = having((one, other) => numberCode(other) !== '' && numberCode(one) === numberCode(other));
  const visited = (sheet: SheetView) =>
    sheet.id === labelled || numbers.some((one) => codeKey(one) === codeKey(sheet.visit_number ?? ''));
  const people = new Map<number, ScannedPersonView>();
  for (const { patient } of found) {
    const { record_number = null, date_of_birth = null, second_surname = null } = patient;
    people.set(patient.id, {
      ...patient,
      second_surname,
      record_number,
      date_of_birth,
      sheet_id: found.find((one) => one.patient.id === patient.id && visited(one))?.id ?? null,
      sheets: kept
        .filter((one) => one.patient.id === patient.id)
        .map(({ id, room, admission_date }) => ({
          id,
          room: { id: room.id, name: room.name },
          admission_date,
        })),
    });
  }
  return [...people.values()];
}

/**
 * Return the record number in a scanned text.
 *
 * It equals `scanned_number` of domain/people/patient.py.
 */
function scannedNumber(text: string, authority: string | null): string | null {
  const [number = '', ...components] = text.split('^');
  const assignedBy = components[2]?.trim();
  const own = (authority ?? '').split(',').filter((name) => name.trim());
  if (assignedBy && own.length > 0 && !own.some((name) => isSameAuthority(name, assignedBy))) return null;
  return number.trim().replace(/^\*+|\*+$/g, '') || null;
}

/** Return whether two authorities are the same, as `is_same_authority` of domain/people/patient.py. */
function isSameAuthority(one: string, other: string): boolean {
  const [first = [], second = []] = [one, other].map((text) => text.trim().toLowerCase().split('&'));
  if (first[1] && second[1]) return first[1] === second[1];
  return Boolean(first[0]) && first[0] === second[0];
}

export function keptLines({ items }: PageDetailView): KeptLine[] {
  return items.slice(0, LINES).map((line) => {
    const { id, name, code, category } = line.product;
    const product = { id, name, code, category: { id: category.id, name: category.name } };
    return { ...picked(line, STORED_LINE_FIELDS), product };
  });
}

/**
 * Return the sheet as the server would.
 *
 * Its version is not stored: 0, which no sheet has.
 */
const sheetOf = ({ sheet, lines, seen_at }: StoredSheet): SheetView & Seen => ({
  ...(sheet as KeptSheet),
  closed: false,
  deleted_at: null,
  diagnosis: '',
  doctor: '',
  version: 0,
  seen_at,
  ...(lines === null && { lines_missing: true }),
});

const stored = async (id: number, userId: number) => (await keptOf(userId)).find((one) => one.id === id);

export async function readSheet(id: number, userId: number): Promise<(SheetView & Seen) | null> {
  const found = await stored(id, userId);
  return found?.sheet ? sheetOf(found) : null;
}

/** Return an area's page as the server would. Its version is not stored: 0, which no page has. */
const areaSheetOf = ({ area_sheet, lines, seen_at }: StoredSheet): AreaSheetView & Seen => ({
  ...(area_sheet as KeptAreaSheet),
  version: 0,
  seen_at,
  ...(lines === null && { lines_missing: true }),
});

export async function readAreaSheet(id: number, userId: number): Promise<(AreaSheetView & Seen) | null> {
  const found = await stored(id, userId);
  return found?.area_sheet ? areaSheetOf(found) : null;
}

/** Return the pages of an area that the user has seen, latest first. */
export async function listAreaSheets(areaId: number, userId: number) {
  const kept = (await keptOf(userId)).filter(({ area_sheet }) => area_sheet?.area.id === areaId);
  const age = ({ month, part }: AreaSheetView) => `${month} ${String(part).padStart(4, '0')}`;
  return kept.map(areaSheetOf).sort((one, other) => (age(one) < age(other) ? 1 : -1));
}

export async function readLines(id: number, userId: number): Promise<PageDetailView | null> {
  const found = await stored(id, userId);
  if (!found) return null;
  const items: DetailView[] = found.lines ?? [];
  return { items, meta: { page: 1, limit: LINES, total: items.length, pages: 1 } };
}

/**
 * Return the usual products of the sheet's area, as they were read last on any of its sheets, or pages.
 *
 * A user has one list for the patients of each area, and one for its pages.
 */
export async function readUsualProducts(id: number, userId: number): Promise<UsualProductsView | null> {
  const kept = await keptOf(userId);
  // An area itself usually uses other products than its patients.
  const listOf = ({ sheet, area_sheet }: StoredSheet) =>
    area_sheet ? `area ${area_sheet.area.id}` : `patients ${sheet?.room.area_id}`;
  const asked = kept.find((one) => one.id === id);
  const [latest] = kept
    .filter((one) => asked && listOf(one) === listOf(asked) && one.usual_at !== undefined)
    .sort((one, other) => String(other.usual_at).localeCompare(String(one.usual_at)));
  const items = latest && (await readProducts(latest.usual));
  return items ? { items, pinned: latest.pinned, changed: [] } : null;
}

/** Return when the latest of the sheets was seen. */
const lastSeen = (kept: StoredSheet[]) =>
  kept
    .map((one) => one.seen_at)
    .sort()
    .at(-1);

interface Asked {
  q?: string;
  page: number;
  limit: number;
  room_id?: number;
  area_id?: number;
}

/** List the open sheets that the user has seen, latest admissions first. */
export async function listSheets(
  { q = '', page, limit, room_id, area_id }: Asked,
  userId: number,
): Promise<(SheetPage & Seen) | null> {
  const kept = await sheetsOf(userId);
  if (kept.length === 0) return null;
  const words = foldPerson(q).split(' ');
  const found = kept.map(sheetOf).filter(({ patient, room, room_id: of }) => {
    const name = foldPerson(
      [patient.name, patient.first_surname, patient.second_surname, room.name].join(' '),
    );
    return (
      words.every((word) => name.includes(word)) &&
      (!room_id || of === room_id) &&
      (!area_id || room.area_id === area_id)
    );
  });
  // As on the ward: room 2 comes before room 10.
  found.sort((one, other) => one.room.name.localeCompare(other.room.name, undefined, { numeric: true }));
  const seen_at = lastSeen(kept);
  const items = found.slice((page - 1) * limit, page * limit);
  return {
    items,
    meta: { page, limit, total: found.length, pages: Math.ceil(found.length / limit) },
    seen_at,
  };
}

const byAdmission = ({ sheet: one }: StoredSheet, { sheet: other }: StoredSheet) =>
  String(one?.admission_date).localeCompare(String(other?.admission_date));

/**
 * Return the rooms of the open sheets that the user has seen, in the order of the ward.
 *
 * The day of a sheet's last line is known from a list, its time only from its lines.
 */
export async function readWard(
  area_id: number | undefined,
  userId: number,
): Promise<(WardView & Seen) | null> {
  const kept = await sheetsOf(userId);
  if (kept.length === 0) return null;
  const { time_zone, utc_offset_minutes } = (storedSettings() ?? {}) as Partial<PublicSettings>;
  const dayOf = (moment: string | Date) => clockOf(time_zone, utc_offset_minutes).read(moment).slice(0, 10);
  const day = dayOf(new Date());
  const known = await listAreas({ page: 1, limit: Number.MAX_SAFE_INTEGER });
  const names = new Map(known?.items.map(({ id, name }) => [id, name]));
  const rooms = new Map<number, WardRoomView>();
  for (const { sheet, lines } of kept.sort(byAdmission)) {
    if (!sheet || (area_id !== undefined && sheet.room.area_id !== area_id)) continue;
    const { room, consumptions } = sheet;
    const area = { id: room.area_id, name: names.get(room.area_id) ?? '' };
    const place = rooms.get(room.id) ?? { id: room.id, name: room.name, status: 2, area, sheets: [] };
    const moments = (lines ?? consumptions).map(({ created_at }) => created_at).sort();
    const found: WardSheetView & Seen = {
      id: sheet.id,
      patient: sheet.patient,
      admission_date: sheet.admission_date,
      lines_today: consumptions.find(({ created_at }) => dayOf(created_at) === day)?.details ?? 0,
      lines_by_day: [],
      last_recorded_at: moments.at(-1) ?? null,
      discharge_proposed: false,
      unlisted_items: 0,
      mine: false,
      ...(lines === null && { lines_missing: true }),
    };
    rooms.set(room.id, { ...place, sheets: [...place.sheets, found] });
  }
  return {
    day,
    areas: [...new Map([...rooms.values()].map(({ area }) => [area.id, area])).values()],
    rooms: [...rooms.values()].sort((one, other) =>
      one.name.localeCompare(other.name, undefined, { numeric: true }),
    ),
    more_rooms: false,
    seen_at: lastSeen(kept),
    is_partial: true,
  };
}
