import { type DBSchema, type IDBPDatabase, openDB, type StoreNames } from 'idb';
import type { OutboxEntry } from './outboxEntry';
import type { StoredCatalogue, StoredSheet } from './storedShapes';

/**
 * IndexedDB on this device: unsent entries, what offline work needs, and the key of the device.
 *
 * It never contains prices, totals or category codes.
 */
export interface DeviceSchema extends DBSchema {
  outbox: { key: number; value: OutboxEntry; indexes: { key: string } };
  catalogue: { key: 'catalogue'; value: StoredCatalogue };
  sheets: { key: number; value: StoredSheet };
  keys: { key: 'device'; value: CryptoKeyPair };
}

type DeviceDatabase = IDBPDatabase<DeviceSchema>;

const NAME = 'consumo';
const VERSION = 2;

/** How long a store is waited for, in milliseconds. Tests on a slow machine wait longer. */
export const storePatience = { ms: 1_500 };

let opened: Promise<DeviceDatabase> | null = null;
/** The number of late answers of each store. */
const late = new Map<StoreNames<DeviceSchema>, number>();

/**
 * Return what a store of this device answers: the only way to its data.
 *
 * Rejects if the browser has no storage, or if the store does not answer in time: it then counts as missing until its
 * late answer comes, which calls `onLate`.
 */
export function askStore<Answer>(
  name: StoreNames<DeviceSchema>,
  ask: (database: DeviceDatabase) => Promise<Answer>,
  onLate: () => void = () => {},
): Promise<Answer> {
  if (late.get(name)) return Promise.reject(new Error(`${name} does not answer`));
  const asked = deviceDatabase().then(ask);
  return new Promise((resolve, reject) => {
    function giveUp() {
      late.set(name, (late.get(name) ?? 0) + 1);
      const onAnswer = () => {
        late.set(name, (late.get(name) ?? 1) - 1);
        if (!late.get(name)) onLate();
      };
      asked.then(onAnswer, onAnswer);
      reject(new Error(`${name} does not answer`));
    }
    // In two halves: after a pause of the page, the store still has the second half to answer.
    let timer = window.setTimeout(() => {
      timer = window.setTimeout(giveUp, storePatience.ms / 2);
    }, storePatience.ms / 2);
    asked.then(resolve, reject).finally(() => window.clearTimeout(timer));
  });
}

/** Return this tab's connection. */
export function deviceDatabase(): Promise<DeviceDatabase> {
  opened ??= open().catch((refused: unknown) => {
    opened = null;
    throw refused;
  });
  return opened;
}

// Async, because without IndexedDB opening it throws synchronously.
async function open() {
  return openDB<DeviceSchema>(NAME, VERSION, {
    upgrade(database, oldVersion) {
      if (oldVersion < 1) {
        // IndexedDB numbers entries in their order and never reuses a number.
        const outbox = database.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
        outbox.createIndex('key', 'key', { unique: true });
        database.createObjectStore('catalogue');
        database.createObjectStore('sheets', { keyPath: 'id' });
      }
      if (oldVersion < 2) database.createObjectStore('keys');
    },
    // A tab of another version waits for this one to close its connection.
    blocking() {
      void closeDeviceDatabase();
    },
    terminated() {
      opened = null;
    },
  });
}

/** Close the connection; the next use opens a new one. */
export async function closeDeviceDatabase() {
  const closing = opened;
  opened = null;
  late.clear();
  (await closing?.catch(() => null))?.close();
}
