import type { IDBPDatabase, IDBPObjectStore } from 'idb';
import { askStore, type DeviceSchema } from '@/device/database';
import type { OutboxEntry } from '@/device/outboxEntry';
import { broadcast } from './tabChannel';

/*
 * The entries of the outbox, on the device and in this tab's memory.
 *
 * The device has them, and the memory is a copy. What the device does not take is only in memory, and is stored once it
 * takes it. So a store that is missing, full or silent loses no entry while the tab is open.
 */

/** Maximum number of unsent entries on a device. */
export const MAX_ENTRIES = 500;

/** The outbox has no room for another entry. */
export class OutboxFull extends Error {}

/** All entries: as last read from the device, with this tab's changes. */
let known = new Map<string, OutboxEntry>();
/** Keys of entries of which the device lacks the latest state. */
const unkept = new Set<string>();
/** Keys of deleted entries that the device may still have. */
const gone = new Set<string>();
/** Whether the device answered the last reading. */
let isRead = true;
/** Number of the last entry in memory, after all stored ones. */
let last = Number.MAX_SAFE_INTEGER / 2;

type Given = Omit<OutboxEntry, 'seq'>;

const ask = <Answer>(what: (database: IDBPDatabase<DeviceSchema>) => Promise<Answer>) =>
  askStore('outbox', what, () => broadcast({ what: 'changed' }));

/** Return whether this device has all entries in their latest state, and answers. */
export const isOutboxKept = () => isRead && unkept.size + gone.size === 0;

/**
 * Store an entry, in place of the one that it corrects.
 *
 * Once this resolves, the entry is on the disk, even if the tab crashes. `isKept` is false if the device does not take
 * it: the entry is then only in this tab's memory. Throws `OutboxFull`.
 */
export async function putEntry(
  given: Given,
  replaced?: string,
): Promise<{ entry: OutboxEntry; isKept: boolean }> {
  try {
    const [others, seq] = await ask(async (database) => {
      const change = database.transaction('outbox', 'readwrite', { durability: 'strict' });
      const { store } = change;
      const former = replaced === undefined ? undefined : await store.index('key').getKey(replaced);
      if (former !== undefined) await store.delete(former);
      const asked = [store.count(), store.put(given as OutboxEntry)] as const;
      // Commit now, so that it is stored while the page renders, not after that.
      change.commit();
      // A successful request may still be lost before the transaction ends.
      return Promise.all([...asked, change.done]);
    });
    const entry = { ...given, seq };
    known.set(given.key, entry);
    if (others >= MAX_ENTRIES && (await deleteEntry(given.key, ({ tries }) => tries === 0)))
      throw new OutboxFull();
    if (replaced !== undefined) forget(replaced);
    return { entry, isKept: true };
  } catch (refused) {
    if (refused instanceof OutboxFull) throw refused;
    last += 1;
    const entry = { ...given, seq: last };
    known.set(given.key, entry);
    unkept.add(given.key);
    if (replaced !== undefined) {
      forget(replaced);
      gone.add(replaced);
    }
    return { entry, isKept: false };
  }
}

/** Return the entries of all users, in the order of entry. */
export async function allEntries(): Promise<OutboxEntry[]> {
  try {
    const stored = await ask(async (database) => {
      if (unkept.size + gone.size > 0) await catchUp(database).catch(() => {}); // no room: with the next reading
      return database.getAll('outbox');
    });
    const inMemory = [...unkept].flatMap((key) => known.get(key) ?? []);
    const there = stored.filter(({ key }) => !gone.has(key) && !unkept.has(key));
    known = new Map([...there, ...inMemory].map((entry) => [entry.key, entry]));
    isRead = true;
  } catch {
    isRead = false;
  }
  return [...known.values()].sort((one, other) => one.seq - other.seq);
}

/** Update an entry if it still exists; return whether it does. */
export async function changeEntry(key: string, news: Partial<OutboxEntry>): Promise<boolean> {
  if (!unkept.has(key))
    try {
      const changed = await onDevice(key, async (store, entry) => {
        const now = { ...entry, ...news };
        await store.put(now);
        known.set(key, now);
      });
      if (!changed) known.delete(key);
      return changed;
    } catch {} // only in memory
  const entry = known.get(key);
  if (!entry) return false;
  known.set(key, { ...entry, ...news });
  unkept.add(key);
  return true;
}

/** Delete an entry if it exists and matches; return whether it was deleted. */
export async function deleteEntry(key: string, which = (_: OutboxEntry) => true): Promise<boolean> {
  const inMemory = known.get(key);
  const isInMemory = inMemory !== undefined && unkept.has(key);
  if (isInMemory && !which(inMemory)) return false;
  try {
    const isGone = await onDevice(
      key,
      (store, { seq }) => store.delete(seq),
      (entry) => isInMemory || which(entry),
    );
    if (!isGone && !isInMemory) return false;
  } catch {
    if (!inMemory || !which(inMemory)) return false;
    gone.add(key);
  }
  forget(key);
  return true;
}

function forget(key: string) {
  known.delete(key);
  unkept.delete(key);
}

type Store = IDBPObjectStore<DeviceSchema, ['outbox'], 'outbox', 'readwrite'>;

/** Change an entry on the device if it exists and matches; return whether it does. */
const onDevice = (
  key: string,
  act: (store: Store, entry: OutboxEntry) => Promise<unknown>,
  which = (_: OutboxEntry) => true,
) =>
  ask(async (database) => {
    const { store, done } = database.transaction('outbox', 'readwrite', { durability: 'strict' });
    const entry = await store.index('key').get(key);
    const isMeant = entry !== undefined && which(entry);
    if (isMeant) await act(store, entry);
    await done;
    return isMeant;
  });

/** Store on the device what is only in memory. */
async function catchUp(database: IDBPDatabase<DeviceSchema>) {
  const { store, done } = database.transaction('outbox', 'readwrite', { durability: 'strict' });
  const former = (key: string) => store.index('key').getKey(key);
  const deleted = [...gone];
  const put = [...unkept].flatMap((key) => known.get(key) ?? []);
  for (const key of deleted) {
    const seq = await former(key);
    if (seq !== undefined) await store.delete(seq);
  }
  for (const { seq: _, ...entry } of put) {
    const seq = await former(entry.key);
    // Without a number, the device assigns the next one.
    await store.put((seq === undefined ? entry : { ...entry, seq }) as OutboxEntry);
  }
  await done;
  for (const key of deleted) gone.delete(key);
  for (const entry of put) if (known.get(entry.key) === entry) unkept.delete(entry.key);
}

/** Reset the state for tests. */
export function clearVolatile() {
  known = new Map();
  unkept.clear();
  gone.clear();
  isRead = true;
}
