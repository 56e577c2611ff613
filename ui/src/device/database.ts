import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { OutboxEntry } from './outboxEntry';
import type { StoredCatalogue, StoredSheet } from './storedShapes';

/**
 * IndexedDB: what lies on this device, which is what was entered and not yet sent, and what is needed to go on without
 * network. No price, no total and no category code is ever part of it.
 */
export interface DeviceSchema extends DBSchema {
  outbox: { key: number; value: OutboxEntry; indexes: { key: string } };
  catalogue: { key: 'catalogue'; value: StoredCatalogue };
  sheets: { key: number; value: StoredSheet };
}

type DeviceDatabase = IDBPDatabase<DeviceSchema>;

const NAME = 'consumo';
const VERSION = 1;

let opened: Promise<DeviceDatabase> | null = null;

/** The one connection of this tab. Rejects where the browser keeps nothing, as in some private windows. */
export function deviceDatabase(): Promise<DeviceDatabase> {
  opened ??= open().catch((refused: unknown) => {
    opened = null;
    throw refused;
  });
  return opened;
}

// Where there is none at all, asking for it throws at once.
async function open() {
  return openDB<DeviceSchema>(NAME, VERSION, {
    upgrade(database) {
      // Numbered by the device as they come: no number is given twice.
      const outbox = database.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
      outbox.createIndex('key', 'key', { unique: true });
      database.createObjectStore('catalogue');
      database.createObjectStore('sheets', { keyPath: 'id' });
    },
    // A tab of another version waits for this one to let go.
    blocking() {
      void closeDeviceDatabase();
    },
    terminated() {
      opened = null;
    },
  });
}

/** Lets go of the connection; whoever asks next has a new one. */
export async function closeDeviceDatabase() {
  const closing = opened;
  opened = null;
  (await closing?.catch(() => null))?.close();
}
