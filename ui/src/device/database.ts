import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
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

let opened: Promise<DeviceDatabase> | null = null;

/**
 * Return this tab's connection.
 *
 * Rejects if the browser has no storage, as in some private windows.
 */
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
  (await closing?.catch(() => null))?.close();
}
