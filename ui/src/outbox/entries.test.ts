import { expect, it, vi } from 'vitest';
import { deviceDatabase } from '@/device/database';
import { allEntries, changeEntry, dropEntry, forgetUnkept, keepEntry, MOST, OutboxFull } from './entries';

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

it('are kept in their order, and no place is given twice', async () => {
  await Promise.all(['a', 'b', 'c'].map((key) => keepEntry(given(key))));
  expect(await keys()).toEqual(['a', 'b', 'c']);
  await dropEntry('c');
  const { entry } = await keepEntry(given('d'));
  expect(entry.seq).toBe(4);
  expect(await dropEntry('c')).toBe(false);
  expect(await changeEntry('c', { tries: 1 })).toBe(false);
  expect(await changeEntry('d', { tries: 1 })).toBe(true);
  expect(await dropEntry('d', ({ tries }) => tries === 0)).toBe(false);
  expect(await keys()).toEqual(['a', 'b', 'd']);
});

it('take the place of what they correct, or stay both as they were', async () => {
  await keepEntry(given('a'));
  await keepEntry(given('b'), 'a');
  expect(await keys()).toEqual(['b']);
});

it('are flushed to the disk', async () => {
  const transaction = vi.spyOn(await deviceDatabase(), 'transaction');
  await keepEntry(given('a'));
  expect(transaction).toHaveBeenCalledWith('outbox', 'readwrite', { durability: 'strict' });
});

it('are not said to be kept before all of it is', async () => {
  const { put } = IDBObjectStore.prototype;
  // Later than the request is done, and before the transaction is.
  const commit = vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementation(() => {});
  const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...all
  ) {
    const request = put.apply(this, all);
    request.addEventListener('success', () => this.transaction.abort());
    return request;
  });
  const { isKept } = await keepEntry(given('a'));
  spy.mockRestore();
  commit.mockRestore();
  expect(isKept).toBe(false);
  expect(await keys()).toEqual(['a']);
  forgetUnkept();
  expect(await keys()).toEqual([]);
});

it('are in memory where the browser keeps nothing', async () => {
  const spy = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('private', 'InvalidStateError');
  });
  expect(await keepEntry(given('a'))).toMatchObject({ isKept: false });
  expect(await keepEntry(given('b'), 'a')).toMatchObject({ isKept: false });
  expect(await changeEntry('b', { tries: 3 })).toBe(true);
  expect(await allEntries()).toMatchObject([{ key: 'b', tries: 3 }]);
  expect(await dropEntry('b')).toBe(true);
  spy.mockRestore();
});

it(`are at most ${MOST}`, async () => {
  for (let number = 0; number < MOST; number += 1) await keepEntry(given(`${number}`));
  await expect(keepEntry(given('more'))).rejects.toThrow(OutboxFull);
  expect(await keys()).toHaveLength(MOST);
  // A correction takes no more room.
  await keepEntry(given('corrected'), '7');
  expect(await keys()).toHaveLength(MOST);
});
