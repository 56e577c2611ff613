import type { IDBPObjectStore } from 'idb';
import { type DeviceSchema, deviceDatabase } from '@/device/database';
import type { OutboxEntry } from '@/device/outboxEntry';

/** So many may wait on one device. */
export const MAX_ENTRIES = 500;

/** There is no room for another one. */
export class OutboxFull extends Error {}

/** What this browser would not keep: sent by this tab, and gone with it. */
let unkept: OutboxEntry[] = [];
/** After all that is kept. */
let last = Number.MAX_SAFE_INTEGER / 2;

type Given = Omit<OutboxEntry, 'seq'>;

/**
 * Keeps it on the device, in the place of another one where it corrects that: whole once this resolves, however the tab
 * ends then. False where the browser keeps nothing: it is in this tab's memory then.
 */
export async function putEntry(
  given: Given,
  replaced?: string,
): Promise<{ entry: OutboxEntry; isKept: boolean }> {
  try {
    const database = await deviceDatabase();
    const change = database.transaction('outbox', 'readwrite', { durability: 'strict' });
    const { store } = change;
    const former = replaced === undefined ? undefined : await store.index('key').getKey(replaced);
    if (former !== undefined) await store.delete(former);
    const asked = [store.count(), store.put(given as OutboxEntry)] as const;
    // Kept while the page is drawn anew, and not after that.
    change.commit();
    // What a request calls done may still be lost.
    const [others, seq] = await Promise.all([...asked, change.done]);
    if (others >= MAX_ENTRIES && (await deleteEntry(given.key, ({ tries }) => tries === 0)))
      throw new OutboxFull();
    unkept = unkept.filter(({ key }) => key !== replaced);
    return { entry: { ...given, seq }, isKept: true };
  } catch (refused) {
    if (refused instanceof OutboxFull) throw refused;
    last += 1;
    const entry = { ...given, seq: last };
    unkept = [...unkept.filter(({ key }) => key !== replaced), entry];
    return { entry, isKept: false };
  }
}

/** Everybody's, in the order in which they were entered. */
export async function allEntries(): Promise<OutboxEntry[]> {
  const database = await deviceDatabase().catch(() => null);
  const kept = (await database?.getAll('outbox').catch(() => null)) ?? [];
  return [...kept, ...unkept];
}

/** Only what is still there is changed; false where it is not. */
export async function changeEntry(key: string, news: Partial<OutboxEntry>): Promise<boolean> {
  const inMemory = unkept.some((one) => one.key === key);
  if (!inMemory) return onDevice(key, (store, entry) => store.put({ ...entry, ...news }));
  unkept = unkept.map((one) => (one.key === key ? { ...one, ...news } : one));
  return true;
}

/** True when it is gone now; false where it is not there, or is not such a one. */
export async function deleteEntry(key: string, which = (_: OutboxEntry) => true): Promise<boolean> {
  const inMemory = unkept.find((one) => one.key === key);
  if (!inMemory) return onDevice(key, (store, { seq }) => store.delete(seq), which);
  if (!which(inMemory)) return false;
  unkept = unkept.filter((one) => one !== inMemory);
  return true;
}

type Store = IDBPObjectStore<DeviceSchema, ['outbox'], 'outbox', 'readwrite'>;

async function onDevice(
  key: string,
  act: (store: Store, entry: OutboxEntry) => Promise<unknown>,
  which = (_: OutboxEntry) => true,
) {
  const database = await deviceDatabase();
  const { store, done } = database.transaction('outbox', 'readwrite', { durability: 'strict' });
  const entry = await store.index('key').get(key);
  const isMeant = entry !== undefined && which(entry);
  if (isMeant) await act(store, entry);
  await done;
  return isMeant;
}

/** As in a page that was just opened. */
export function clearVolatile() {
  unkept = [];
}
