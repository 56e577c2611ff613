import type {
  DetailView,
  PageDetailView,
  ScannedPersonView,
  SheetPage,
  SheetView,
  UsualProductsView,
} from '@/api/generated';
import { readProducts } from './catalogue';
import { deviceDatabase } from './database';
import { foldPerson, uniqueKey } from './fold';
import {
  type KeptLine,
  type KeptSheet,
  STORED_LINE_FIELDS,
  STORED_SHEET_FIELDS,
  type StoredSheet,
} from './storedShapes';

const AT_MOST = 40;
const LINES = 100;
const HOURS = 12;

/** Whoever is signed in, and until when: what they saw is theirs alone, and gone with their session. */
export interface Viewer {
  userId: number;
  /** In milliseconds; null where the token does not tell. */
  tokenEnds: number | null;
}

/** When a copy was seen, beside what was seen. */
interface Seen {
  seen_at?: string;
}

type News = Partial<Pick<StoredSheet, 'sheet' | 'lines' | 'usual' | 'pinned'>>;

/**
 * Keeps what somebody sees of an open sheet. `isStill` says whether they are still signed in: what comes after they
 * left is not kept.
 */
export async function keepSheet(
  id: number,
  news: News,
  { userId, tokenEnds }: Viewer,
  isStill: () => boolean,
) {
  const store = (await deviceDatabase()).transaction('sheets', 'readwrite').store;
  const kept = await store.get(id);
  if (!isStill()) return;
  const now = Date.now();
  const until = Math.min(now + HOURS * 3_600_000, tokenEnds ?? Number.POSITIVE_INFINITY);
  await store.put({
    ...(kept?.user_id === userId ? kept : { sheet: null, lines: [], usual: [], pinned: [] }),
    id,
    user_id: userId,
    ...news,
    seen_at: new Date(now).toISOString(),
    until: new Date(until).toISOString(),
  });
  const latest = (await store.getAll()).sort((one, other) => (one.seen_at < other.seen_at ? 1 : -1));
  for (const { id: old } of latest.slice(AT_MOST)) await store.delete(old);
}

export const forgetSheet = async (id: number) => (await deviceDatabase()).delete('sheets', id);

/** What is left for that person once all that is over, or that somebody else saw, is deleted. For nobody it is nothing. */
export async function sheetsOf(userId: number | null): Promise<StoredSheet[]> {
  const store = (await deviceDatabase()).transaction('sheets', 'readwrite').store;
  const now = new Date().toISOString();
  const left: StoredSheet[] = [];
  for (const one of await store.getAll()) {
    if (one.user_id !== userId || one.until <= now) await store.delete(one.id);
    else if (one.sheet) left.push(one);
  }
  return left;
}

const picked = <View extends object, Key extends keyof View>(view: View, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, view[key]])) as Pick<View, Key>;

/** Field by field, so that nothing comes along unseen. */
export function keptSheet(sheet: SheetView): KeptSheet {
  const { id, name, first_surname, second_surname, record_number, date_of_birth } = sheet.patient;
  const patient = { id, name, first_surname, second_surname, record_number, date_of_birth };
  return { ...picked(sheet, STORED_SHEET_FIELDS), patient };
}

/** The patients of the sheets on this device whose record number was scanned. */
export async function findScannedPeople(scan: string, userId: number): Promise<ScannedPersonView[]> {
  const key = uniqueKey(scan.trim());
  const kept = (await sheetsOf(userId)).map(sheetOf);
  const people = new Map<number, ScannedPersonView>();
  for (const { id, patient, room, admission_date } of kept) {
    const { record_number } = patient;
    if (!record_number || uniqueKey(record_number) !== key) continue;
    const sheet = { id, room: { id: room.id, name: room.name }, admission_date };
    const sheets = [...(people.get(patient.id)?.sheets ?? []), sheet];
    people.set(patient.id, {
      ...patient,
      record_number,
      date_of_birth: patient.date_of_birth ?? null,
      sheet_id: null,
      sheets,
    });
  }
  return [...people.values()];
}

export function keptLines({ items }: PageDetailView): KeptLine[] {
  return items.slice(0, LINES).map((line) => {
    const { id, name, code, category } = line.product;
    const product = { id, name, code, category: { id: category.id, name: category.name } };
    return { ...picked(line, STORED_LINE_FIELDS), product };
  });
}

/** What it was at is not known: the version is one that no sheet has. */
const sheetOf = ({ sheet, seen_at }: StoredSheet): SheetView & Seen => ({
  ...(sheet as KeptSheet),
  closed: false,
  deleted_at: null,
  diagnosis: '',
  doctor: '',
  version: 0,
  seen_at,
});

const stored = async (id: number, userId: number) => (await sheetsOf(userId)).find((one) => one.id === id);

export async function readSheet(id: number, userId: number): Promise<(SheetView & Seen) | null> {
  const found = await stored(id, userId);
  return found ? sheetOf(found) : null;
}

export async function readLines(id: number, userId: number): Promise<PageDetailView | null> {
  const found = await stored(id, userId);
  if (!found) return null;
  const items: DetailView[] = found.lines;
  return { items, meta: { page: 1, limit: LINES, total: items.length, pages: 1 } };
}

export async function readUsual(id: number, userId: number): Promise<UsualProductsView | null> {
  const found = await stored(id, userId);
  const items = found && (await readProducts(found.usual));
  return items ? { items, pinned: found.pinned } : null;
}

interface Asked {
  q?: string;
  page: number;
  limit: number;
  room_id?: number;
  area_id?: number;
}

/** The open sheets that this person looked at on this device, the latest admissions first. */
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
  found.sort((one, other) => (one.admission_date < other.admission_date ? 1 : -1));
  const seen_at = kept
    .map((one) => one.seen_at)
    .sort()
    .at(-1);
  const items = found.slice((page - 1) * limit, page * limit);
  return {
    items,
    meta: { page, limit, total: found.length, pages: Math.ceil(found.length / limit) },
    seen_at,
  };
}
