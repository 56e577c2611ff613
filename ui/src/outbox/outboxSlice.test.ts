import { describe, expect, it } from 'vitest';
import { api } from '@/api/base';
import type { DetailView } from '@/api/generated';
import type { OutboxEntry } from '@/device/outboxEntry';
import { valuesOf } from '@/test/outbox';
import {
  abandoned,
  activityOf,
  changedByOther,
  dropped,
  entered,
  keptLate,
  lineOf,
  listed,
  type OutboxLine,
  type OutboxState,
  opened,
  outboxReducer,
  putOff,
  read,
  recorded,
  refused,
  sent,
  takenBack,
  typed,
  undone,
} from './outboxSlice';

const sheetId = 1;
const values = valuesOf(2);
const nothing = { rows: [], begun: null };
const open = opened({ sheetId, drafts: nothing });
const entry = (key: string, change: Partial<OutboxEntry> = {}): OutboxEntry => ({
  key,
  user_id: 3,
  user_name: 'Lucía P.',
  sheet_id: sheetId,
  seq: 1,
  items: [],
  staff_id: null,
  area_id: null,
  kit_id: null,
  occurred_at: '2026-11-20T12:00:00.000Z',
  state: 'waiting',
  tries: 0,
  problem: null,
  ...change,
});
const enter = (key: string, change: Partial<OutboxLine> = {}, replaced?: string) =>
  entered({
    line: { ...lineOf(entry(key)), items: [values], mine: true, ...change },
    replaced,
    isKept: true,
  });
const detail = (id: number) => ({ id, version: 1, quantity: id, product: { name: 'Gasa' } }) as DetailView;
const record = (key: string, ...ids: number[]) => recorded({ key, details: ids.map(detail) });
const refuse = (key: string) => refused({ key, messages: [{ field: 'quantity', code: 'x', text: 'No.' }] });
const find = (before: string[], ...entries: OutboxEntry[]) =>
  read({ before, entries, others: [], isKept: true });

const stateOf = (events: Parameters<typeof outboxReducer>[1][]) =>
  events.reduce<OutboxState | undefined>(outboxReducer, undefined) as OutboxState;
const shown = ({ lines }: OutboxState) => lines.map(({ key, status }) => `${key} ${status}`).join(', ');

describe('the lines of the outbox', () => {
  const both = [open, enter('a'), enter('b')];

  it.each([
    ['waits in its order', both, 'a waiting, b waiting'],
    ['is on its way', [...both, sent({ key: 'a' })], 'a sending, b waiting'],
    ['is recorded', [...both, sent({ key: 'a' }), record('a', 7)], 'a recorded, b waiting'],
    ['waits again', [...both, sent({ key: 'a' }), putOff({ key: 'a' })], 'a waiting, b waiting'],
    ['is refused', [...both, refuse('a')], 'a refused, b waiting'],
    ['came too late', [...both, keptLate({ key: 'a' })], 'a late, b waiting'],
    [
      'is corrected by another one in its place',
      [...both, refuse('a'), enter('c', {}, 'a')],
      'b waiting, c waiting',
    ],
    ['is dropped', [...both, dropped({ key: 'a' })], 'b waiting'],
    [
      'stays until the list shows it',
      [open, enter('a'), record('a', 7), listed({ sheetId, ids: [6] })],
      'a recorded',
    ],
    [
      'stays until the list shows all of it',
      [open, enter('a'), record('a', 7, 8), listed({ sheetId, ids: [7] })],
      'a recorded',
    ],
    ['goes when the list shows it', [...both, record('a', 7), listed({ sheetId, ids: [6, 7] })], 'b waiting'],
    [
      'goes when it is undone',
      [open, enter('a'), record('a', 7), undone({ sheetId, detail: detail(7) })],
      '',
    ],
    [
      'goes when someone else was at it',
      [open, enter('a'), record('a', 7), changedByOther({ sheetId, detailId: 7 })],
      '',
    ],
    ['is removed if its sheet is not shown', [enter('a'), record('a', 7)], ''],
    ['stays when its page is left', [...both, refuse('b'), abandoned({ sheetId })], 'a waiting, b refused'],
    ['is gone with the session', [...both, api.util.resetApiState()], ''],
    ['is kept when the page is opened again', [...both, record('a', 7), open], 'b waiting'],
  ])('%s', (_, events, expected) => {
    expect(shown(stateOf(events))).toBe(expected);
  });

  it.each([
    [
      'is found on the device',
      [open, find([], entry('a'), entry('b', { state: 'refused' }))],
      'a waiting, b refused',
    ],
    ['is gone when another tab sent it', [open, enter('a'), find(['a'])], ''],
    ['stays when it was entered while the device was read', [open, enter('a'), find([])], 'a waiting'],
    ['is not back when it went while the device was read', [open, find(['a'], entry('a'))], ''],
    ['is on its way still', [open, enter('a'), sent({ key: 'a' }), find(['a'], entry('a'))], 'a sending'],
    ['is recorded all the same', [open, enter('a'), record('a', 7), find(['a'], entry('a'))], 'a recorded'],
    [
      'is refused in another tab',
      [open, enter('a'), find(['a'], entry('a', { state: 'refused' }))],
      'a refused',
    ],
    [
      'is refused before the device says so',
      [open, enter('a'), refuse('a'), find(['a'], entry('a'))],
      'a refused',
    ],
  ])('%s', (_, events, expected) => {
    expect(shown(stateOf(events))).toBe(expected);
  });

  it('keeps what only the page knows when the device is read', () => {
    const { lines } = stateOf([open, enter('a'), find(['a'], entry('a'))]);
    expect(lines[0]).toMatchObject({ mine: true, items: [{ product: { price: 0.35 } }] });
  });
});

describe('undo and the latest activity', () => {
  const both = [open, enter('a'), record('a', 7), enter('b'), record('b', 8)];

  it.each([
    ['what was recorded, the last one last', both, [[7], [8]], 'recorded 8'],
    ['not what is undone', [...both, undone({ sheetId, detail: detail(8) })], [[7]], 'undone 8'],
    [
      'not what someone else was at',
      [...both, changedByOther({ sheetId, detailId: 8 })],
      [[7]],
      'recorded 8',
    ],
    ['still what the list shows', [...both, listed({ sheetId, ids: [7, 8] })], [[7], [8]], 'recorded 8'],
    ['nothing of before the page was opened', [...both, open], [], undefined],
    [
      'an entry undone before it was sent',
      [...both, enter('c'), takenBack({ key: 'c' })],
      [[7], [8]],
      'undone 2',
    ],
    ['what was recorded at once as one act', [open, enter('a'), record('a', 7, 8)], [[7, 8]], 'recorded 8'],
  ])('%s', (_, events, acts, told) => {
    const activity = activityOf({ outbox: stateOf(events) }, sheetId);
    expect(activity.acts.map((details) => details.map(({ id }) => id))).toEqual(acts);
    expect(activity.told ? `${activity.told.what} ${activity.told.quantity}` : undefined).toBe(told);
  });

  it('lists recorded lines of this page, even undone ones', () => {
    const state = stateOf([...both, undone({ sheetId, detail: detail(8) })]);
    expect(activityOf({ outbox: state }, sheetId).recordedIds).toEqual([7, 8]);
  });
});

it.each([
  ['is what was typed', [open, typed({ sheetId, values })], values],
  ['is what was stored', [opened({ sheetId, drafts: { ...nothing, begun: values } })], values],
  ['is nothing on a sheet that is not open', [typed({ sheetId, values })], undefined],
  ['is dropped when its user leaves', [open, typed({ sheetId, values }), abandoned({ sheetId })], undefined],
])('the form %s', (_, events, begun) => {
  expect(stateOf(events).begun[sheetId]).toEqual(begun);
});
