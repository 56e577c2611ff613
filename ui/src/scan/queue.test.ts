import { expect, it } from 'vitest';
import type { ProductLookupView } from '@/api/generated';
import { type Destination, type Entry, emptyQueue, type QueueEvent, reduceQueue } from './queue';
import type { ScanPage } from './scanPages';
import { ScanQueue } from './scanQueue';

const GAUZE = { label: null, matches: [{}], people: [] } as unknown as ProductLookupView;
const WRISTBAND = {
  label: null,
  matches: [],
  people: [{ sheets: [{ id: 2 }] }],
} as unknown as ProductLookupView;
const destination = { sheetId: 2, person: { sheets: [] } } as unknown as Destination;
const entry: Entry = {
  key: 'a',
  sheetId: 1,
  code: '7501',
  at: '2026-11-20T12:00:00Z',
  context: null,
  answer: null,
  isFailed: false,
  visit: '',
  isOld: false,
  isMoved: false,
  doubt: null,
};
const run = (...events: QueueEvent[]) =>
  events.reduce(
    ({ state }, event) => reduceQueue(state, event),
    reduceQueue(emptyQueue, {
      type: 'pageChanged',
      sheetId: 1,
      isReady: true,
      takesPatients: false,
      visit: 'v',
    }),
  );
const givenBack: QueueEvent[] = [
  { type: 'ended', entry },
  { type: 'dismissed', destination, visit: 'v' },
];

it('gives the answer to a scan that was given back before it', () => {
  const answered = run(...givenBack, { type: 'answered', key: 'a', answer: GAUZE });
  expect(answered.state.givenBack[0]?.entries[0]?.answer).toBe(GAUZE);
  const { effects } = reduceQueue(answered.state, { type: 'resumed', key: 'a', to: 'here', visit: 'w' });
  expect(effects).toMatchObject([{ do: 'handle', entry: { key: 'a', sheetId: 1, answer: GAUZE } }]);
});

it('lets a failed lookup be retried after its scan was given back', () => {
  const failed = run(
    ...givenBack,
    { type: 'failed', key: 'a' },
    { type: 'resumed', key: 'a', to: 'here', visit: 'w' },
  );
  expect(failed.state.entries[0]?.isFailed).toBe(true);
  expect(reduceQueue(failed.state, { type: 'retried' }).effects).toMatchObject([{ do: 'lookUp' }]);
});

it('removes a badge that is recognised after it was given back', () => {
  expect(run(...givenBack, { type: 'removed', key: 'a' }).state.givenBack).toEqual([]);
});

it('gives a line from before a reload back, if no patient is known', () => {
  const line = { ...entry, sheetId: null, code: null, isOld: true };
  const { state, effects } = reduceQueue(run().state, { type: 'restored', entries: [line] });
  expect(effects).toEqual([]);
  expect(state.givenBack).toMatchObject([{ key: 'a', person: null, entries: [{ key: 'a' }] }]);
  const here = reduceQueue(state, { type: 'resumed', key: 'a', to: 'here', visit: 'w' });
  // The person has decided about it.
  expect(here.effects).toMatchObject([{ do: 'handle', entry: { key: 'a', sheetId: 1, isOld: false } }]);
});

it('opens no other sheet for a wristband of an earlier visit', () => {
  const band = { ...entry, key: 'b', sheetId: null, visit: 'u', isOld: true };
  const pack = { ...entry, key: 'c', sheetId: null, visit: 'u', isOld: true };
  const { state, effects } = run(
    { type: 'restored', entries: [band, pack] },
    { type: 'answered', key: 'b', answer: WRISTBAND },
  );
  expect(effects).toEqual([]);
  expect(state).toMatchObject({
    going: null,
    entries: [],
    givenBack: [{ sheetId: 2, entries: [{ key: 'c' }] }],
  });
});

it('lets a person decide about a scan on a list, once a sheet is open', () => {
  const state = { ...emptyQueue, entries: [{ ...entry, sheetId: null }] };
  const opened = reduceQueue(state, {
    type: 'pageChanged',
    sheetId: 1,
    isReady: true,
    takesPatients: false,
    visit: 'v',
  });
  expect(opened.state.entries).toMatchObject([{ isOld: true }]);
});

it('keeps the scans of a page stored that another one replaces', () => {
  const stored = new Map<number, string[]>();
  let page: ScanPage = { sheetId: 1, onScan: () => {} };
  const queue = new ScanQueue({
    page: () => page,
    base: () => page,
    isHeld: () => false,
    run: () => {},
    store: (place, entries, keys) => {
      const others = (stored.get(place) ?? []).filter((key) => !keys.has(key));
      stored.set(place, [...others, ...entries.map(({ key }) => key)]);
    },
    onChange: () => {},
  });
  queue.changePage();
  const key = queue.add({ code: '7501' });
  page = { sheetId: 2, onScan: () => {} };
  queue.send({ type: 'restored', entries: [] });
  queue.changePage();
  expect(stored.get(1)).toEqual([key]);
});
