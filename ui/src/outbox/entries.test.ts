import { afterEach, describe, expect, it, vi } from 'vitest';
import { deviceDatabase, storePatience } from '@/device/database';
import {
  allEntries,
  changeEntry,
  deleteEntry,
  isOutboxKept,
  MAX_ENTRIES,
  OutboxFull,
  putEntry,
} from './entries';

const given = (key: string) => ({
  key,
  user_id: 2,
  user_name: 'Lucía P.',
  sheet_id: 1,
  items: [],
  staff_id: null,
  area_id: null,
  kit_id: null,
  occurred_at: '2026-11-20T12:00:00.000Z',
  state: 'waiting' as const,
  tries: 0,
  problem: null,
});
const keys = async () => (await allEntries()).map(({ key }) => key);

it('are stored in order, and never reuse a number', async () => {
  await Promise.all(['a', 'b', 'c'].map((key) => putEntry(given(key))));
  expect(await keys()).toEqual(['a', 'b', 'c']);
  await deleteEntry('c');
  const { entry } = await putEntry(given('d'));
  expect(entry.seq).toBe(4);
  expect(await deleteEntry('c')).toBe(false);
  expect(await changeEntry('c', { tries: 1 })).toBe(false);
  expect(await changeEntry('d', { tries: 1 })).toBe(true);
  expect(await deleteEntry('d', ({ tries }) => tries === 0)).toBe(false);
  expect(await keys()).toEqual(['a', 'b', 'd']);
});

it('replace the entry that they correct, all or nothing', async () => {
  await putEntry(given('a'));
  await putEntry(given('b'), 'a');
  expect(await keys()).toEqual(['b']);
});

it('are flushed to disk', async () => {
  const transaction = vi.spyOn(await deviceDatabase(), 'transaction');
  await putEntry(given('a'));
  expect(transaction).toHaveBeenCalledWith('outbox', 'readwrite', { durability: 'strict' });
});

it('count as stored only after the transaction', async () => {
  const { put } = IDBObjectStore.prototype;
  // Between the success of the request and the end of the transaction.
  const commit = vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementation(() => {});
  const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...all
  ) {
    const request = put.apply(this, all);
    request.addEventListener('success', () => this.transaction.abort());
    return request;
  });
  const { isKept } = await putEntry(given('a'));
  spy.mockRestore();
  commit.mockRestore();
  expect(isKept).toBe(false);
  expect(await (await deviceDatabase()).count('outbox')).toBe(0);
  expect(await keys()).toEqual(['a']);
});

it('stay in memory in a browser without storage', async () => {
  const spy = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('private', 'InvalidStateError');
  });
  expect(await putEntry(given('a'))).toMatchObject({ isKept: false });
  expect(await putEntry(given('b'), 'a')).toMatchObject({ isKept: false });
  expect(await changeEntry('b', { tries: 3 })).toBe(true);
  expect(await allEntries()).toMatchObject([{ key: 'b', tries: 3 }]);
  expect(await deleteEntry('b')).toBe(true);
  spy.mockRestore();
});

it(`are at most ${MAX_ENTRIES}`, async () => {
  for (let number = 0; number < MAX_ENTRIES; number += 1) await putEntry(given(`${number}`));
  await expect(putEntry(given('more'))).rejects.toThrow(OutboxFull);
  expect(await keys()).toHaveLength(MAX_ENTRIES);
  // A correction needs no more room.
  await putEntry(given('corrected'), '7');
  expect(await keys()).toHaveLength(MAX_ENTRIES);
});

describe('of a store that answers late', () => {
  afterEach(() => void vi.useRealTimers());

  /** Keep the store busy, as a slow disk does, until the returned function is called. */
  async function occupy() {
    const { store } = (await deviceDatabase()).transaction('outbox', 'readwrite');
    let isBusy = true;
    const goOn = (): void => void store.get(0).then(() => isBusy && goOn());
    goOn();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return () => {
      isBusy = false;
    };
  }
  async function outwait<Answer>(asked: Promise<Answer>) {
    await vi.advanceTimersByTimeAsync(storePatience.ms);
    return asked;
  }
  const stored = async () =>
    (await (await deviceDatabase()).getAll('outbox')).map(({ key, tries }) => [key, tries]);

  it('are stored with their latest state', async () => {
    const release = await occupy();
    expect(await outwait(putEntry(given('a')))).toMatchObject({ isKept: false });
    // It is not waited for again.
    await changeEntry('a', { tries: 1 });
    expect(await allEntries()).toMatchObject([{ key: 'a', tries: 1 }]);
    expect(isOutboxKept()).toBe(false);
    release();
    await vi.waitFor(async () => expect(await stored()).toEqual([['a', 0]]));
    await vi.waitFor(async () => {
      await allEntries();
      expect(await stored()).toEqual([['a', 1]]);
    });
    expect(isOutboxKept()).toBe(true);
  });

  it('are kept again once the one that was late is deleted', async () => {
    const release = await occupy();
    await outwait(putEntry(given('a')));
    release();
    await vi.waitFor(async () => expect(await stored()).toEqual([['a', 0]]));
    await vi.waitFor(async () => {
      await deleteEntry('a');
      expect(await stored()).toEqual([]);
    });
    await vi.waitFor(async () => {
      await allEntries();
      expect(isOutboxKept()).toBe(true);
    });
  });

  it('do not come back after they were deleted', async () => {
    const release = await occupy();
    await outwait(putEntry(given('a')));
    expect(await deleteEntry('a')).toBe(true);
    expect(await allEntries()).toEqual([]);
    release();
    await vi.waitFor(async () => expect(await stored()).toEqual([['a', 0]]));
    await vi.waitFor(async () => {
      expect(await allEntries()).toEqual([]);
      expect(await stored()).toEqual([]);
    });
  });
});
