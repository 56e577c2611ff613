import type { OwnAccountView } from '@/api/generated';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import { serverNow } from '@/api/serverClock';
import type { EntryItem, EntryProduct, OutboxEntry } from '@/device/outboxEntry';
import { deviceStorage } from '@/state/storage';
import type { AppThunk } from '@/state/storeHooks';
import { dropRecordedRows } from './drafts';
import { allEntries, changeEntry, deleteEntry, isOutboxKept, putEntry } from './entries';
import { otherUsersEntries } from './others';
import { type DetailValues, dropped, entered, lineOf, read, takenBack } from './outboxSlice';
import { broadcast } from './tabChannel';

/** Lines entered together on one sheet. */
export interface Given {
  sheetId: number;
  items: DetailValues[];
  kitId?: number;
  /** The entry's idempotency key: that of the row from which it is recorded, if there is one. */
  key?: string;
  /** Called in the moment in which the entry becomes a line. */
  onStored?: () => void;
}

/**
 * Add confirmed lines to the outbox: to the device first, then to the store.
 *
 * The caller sends them. Throws `OutboxFull`.
 */
export const enqueue =
  ({ sheetId, items, kitId, key = newIdempotencyKey(), onStored }: Given): AppThunk<void> =>
  async (dispatch, getState) => {
    const { user } = getState().session;
    const [first] = items;
    if (!user || !first) return;
    const replaced = items.map(({ corrects }) => corrects).find(Boolean) ?? undefined;
    const given = {
      key,
      user_id: user.id,
      user_name: nameOf(user),
      sheet_id: sheetId,
      items: items.map(itemOf),
      staff_id: first.staff_id,
      area_id: first.area_id,
      kit_id: kitId ?? null,
      use_reason: first.use_reason || undefined,
      occurred_at: first.used_at ?? serverNow().toISOString(),
      state: 'waiting' as const,
      tries: 0,
      problem: null,
    };
    const { entry, isKept } = await putEntry(given, replaced);
    dropRecordedRows(user.id, [entry]);
    // Another user may have signed in meanwhile.
    if (getState().session.user?.id !== user.id) return;
    const asEntered = items.map((values) => ({ ...values, corrects: null }));
    onStored?.();
    dispatch(entered({ line: { ...lineOf(entry), items: asEntered, mine: true }, replaced, isKept }));
    broadcast({ what: 'changed' });
    void askToPersist();
  };

const nameOf = ({ profile, email }: OwnAccountView) =>
  profile ? `${profile.name} ${profile.first_surname.slice(0, 1)}.` : email;

function itemOf({ product, quantity, ...values }: DetailValues): EntryItem {
  const kept = productOf(product as EntryProduct);
  const { gtin, lot, expiry, serial, acknowledged, recall_reason, implant_reason, scanned, input_method } =
    values;
  return {
    product: kept,
    quantity: String(quantity),
    gtin,
    lot,
    expiry,
    serial,
    acknowledged,
    recall_reason,
    implant_reason,
    input_method: scanned ? 'scan' : (input_method ?? null),
  };
}

/** Return the only fields of a product that are stored on a device. */
const productOf = ({
  id,
  name,
  code,
  gtin,
  unit,
  active,
  decimals,
  asks_lot,
  asks_serial,
  implant,
}: EntryProduct) => ({
  id,
  name,
  code,
  gtin,
  unit,
  active,
  decimals,
  asks_lot,
  asks_serial,
  implant,
});

const ASKED = 'persistAsked';

/**
 * Request persistent storage, once per device.
 *
 * A browser short of space may delete the entries otherwise.
 */
async function askToPersist() {
  if (!navigator.storage?.persist || deviceStorage.getItem(ASKED)) return;
  deviceStorage.setItem(ASKED, 'yes');
  await navigator.storage.persist().catch(() => false);
}

/**
 * Take an entry out of the outbox, so that none of its lines stays on the sheet.
 *
 * If the server may have it, it stays: it is sent until the server acknowledges it, and its lines are then voided.
 */
export const takeBack =
  (key: string): AppThunk<void> =>
  async (dispatch) => {
    // First, so that an answer that comes meanwhile is not taken for a recorded line.
    dispatch(takenBack({ key }));
    const isGone = await deleteEntry(key, ({ tries, state }) => tries === 0 || state === 'refused');
    if (isGone) dispatch(dropped({ key }));
    else await changeEntry(key, { undone: true });
    broadcast({ what: 'changed' });
    await dispatch(loadOutbox());
  };

/** Read the device's outbox into the store; return the user's entries. */
export const loadOutbox = (): AppThunk<OutboxEntry[]> => async (dispatch, getState) => {
  const { session, outbox } = getState();
  const { user } = session;
  const before = outbox.lines.map(({ key }) => key);
  const all = await allEntries();
  if (getState().session.user?.id !== user?.id) return [];
  const entries = all.filter(({ user_id }) => user_id === user?.id);
  // Before an entry is sent and leaves the device, so that its row does not come back after a crash.
  if (user) dropRecordedRows(user.id, entries);
  const others = otherUsersEntries(all, user?.id ?? null);
  dispatch(read({ before, entries, others, isKept: isOutboxKept() }));
  return entries;
};
