import type { IDBPObjectStore } from 'idb';
import { type DeviceSchema, deviceDatabase } from '@/device/database';
import type { OutboxEntry } from '@/device/outboxEntry';

/** Maximum number of unsent entries on a device. */
export const MAX_ENTRIES = 500;

/** The outbox has no room for another entry. */
export class OutboxFull extends Error {}

/** Entries that the browser could not store. They exist, and are sent, only in this tab. */
let unkept: OutboxEntry[] = [];
/** Number of the last entry in memory, after all stored ones. */
let last = Number.MAX_SAFE_INTEGER / 2;

type Given = Omit<OutboxEntry, 'seq'>;

/**
 * Store an entry, in place of the one that it corrects.
 *
 * Once this resolves, the entry is on the disk, even if the tab crashes. `isKept` is false if the browser has no
 * storage: the entry is then only in this tab's memory. Throws `OutboxFull`.
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
    // Commit now, so that it is stored while the page renders, not after that.
    change.commit();
    // A successful request may still be lost before the transaction ends.
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

/** Return the entries of all users, in the order of entry. */
export async function allEntries(): Promise<OutboxEntry[]> {
  const database = await deviceDatabase().catch(() => null);
  const kept = (await database?.getAll('outbox').catch(() => null)) ?? [];
  return [...kept, ...unkept];
}

/** Update an entry if it still exists; return whether it does. */
export async function changeEntry(key: string, news: Partial<OutboxEntry>): Promise<boolean> {
  const inMemory = unkept.some((one) => one.key === key);
  if (!inMemory) return onDevice(key, (store, entry) => store.put({ ...entry, ...news }));
  unkept = unkept.map((one) => (one.key === key ? { ...one, ...news } : one));
  return true;
}

/** Delete an entry if it exists and matches; return whether it was deleted. */
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

/** Reset the state for tests. */
export function clearVolatile() {
  unkept = [];
}
