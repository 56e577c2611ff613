import { describe, expect, it } from 'vitest';
import { api } from '@/api/base';
import type { DetailView } from '@/api/generated';
import {
  abandoned,
  changedByOther,
  corrected,
  type DetailValues,
  dropped,
  entered,
  type Line,
  leftOversReleased,
  listed,
  NOTHING_SCANNED,
  nextToSend,
  type OutboxState,
  opened,
  outboxOf,
  outboxReducer,
  recorded,
  refused,
  released,
  retried,
  sent,
  setAside,
  typed,
  unanswered,
  undone,
} from './outbox';

const sheetId = 1;
const values: DetailValues = {
  product_id: 1,
  product: null,
  quantity: 2,
  staff_id: null,
  staff: null,
  area_id: null,
  ...NOTHING_SCANNED,
};
const other: DetailValues = { ...values, quantity: 9 };
const of = (key: string) => ({ sheetId, key });
const open = opened({ sheetId, stored: { lines: [], begun: null, scans: [] } });
const enter = (key: string) => entered({ ...of(key), values });
const detail = (id: number) => ({ id, version: 1 }) as DetailView;
const record = (key: string, id: number) => recorded({ ...of(key), detail: detail(id) });
const refuse = (key: string, field: string | null) =>
  refused({ ...of(key), messages: [{ field, code: 'x', text: 'No.' }] });
const line = (key: string, status: Line['status']): Line => ({ key, values, status });
const reopened = (...lines: Line[]) => opened({ sheetId, stored: { lines, begun: null, scans: [] } });

const stateOf = (events: Parameters<typeof outboxReducer>[1][]) =>
  events.reduce<OutboxState>((state, event) => outboxReducer(state, event), {
    sheets: {},
    begun: {},
    scans: {},
  });

/** The lines as `key status`, the one whose turn it is marked, and whether all is stopped. */
function shown(state: OutboxState) {
  const outbox = outboxOf({ outbox: state }, sheetId);
  const next = nextToSend(outbox);
  const lines = outbox.lines.map((one) => `${one === next ? '>' : ''}${one.key} ${one.status}`);
  return [...lines, ...(outbox.stopped ? ['stopped'] : [])].join(', ');
}

describe('what becomes of what was entered', () => {
  it.each([
    ['is sent in its order', [enter('a'), enter('b')], '>a pending, b pending'],
    ['goes one after the other', [enter('a'), enter('b'), sent(of('a'))], 'a sending, b pending'],
    [
      'lets the next one go once it is recorded',
      [enter('a'), enter('b'), sent(of('a')), record('a', 7)],
      'a recorded, >b pending',
    ],
    [
      'lets the next one go once a field of it is refused',
      [enter('a'), enter('b'), sent(of('a')), refuse('a', 'quantity')],
      'a refused, >b pending',
    ],
    [
      'stops all when it is refused for the sheet',
      [enter('a'), enter('b'), sent(of('a')), refuse('a', 'admission_date')],
      'a refused, b pending, stopped',
    ],
    [
      'stops all when it is refused for no field',
      [enter('a'), sent(of('a')), refuse('a', null)],
      'a refused, stopped',
    ],
    [
      'stops all when no answer comes',
      [enter('a'), enter('b'), sent(of('a')), unanswered(of('a'))],
      'a unanswered, b pending, stopped',
    ],
    [
      'waits while all is stopped',
      [enter('a'), sent(of('a')), unanswered(of('a')), enter('b')],
      'a unanswered, b pending, stopped',
    ],
    [
      'goes on where it stopped',
      [enter('a'), enter('b'), sent(of('a')), unanswered(of('a')), retried({ sheetId })],
      '>a unanswered, b pending',
    ],
    ['is not sent twice by another try', [enter('a'), sent(of('a')), retried({ sheetId })], 'a sending'],
    ['is dropped', [enter('a'), enter('b'), dropped(of('a'))], '>b pending'],
    ['waits for the person when it is set aside', [setAside({ ...of('a'), values })], 'a setAside'],
    ['is sent when the person says so', [setAside({ ...of('a'), values }), released(of('a'))], '>a pending'],
    [
      'waits while all is stopped, released or not',
      [enter('a'), sent(of('a')), unanswered(of('a')), setAside({ ...of('b'), values }), released(of('b'))],
      'a unanswered, b pending, stopped',
    ],
    [
      'goes back into an empty form',
      [setAside({ ...of('a'), values }), enter('b'), corrected({ ...of('a'), inHand: null })],
      '>b pending',
    ],
    [
      'takes the place in the form, and what stood there its own',
      [
        setAside({ ...of('a'), values }),
        enter('b'),
        corrected({ ...of('a'), inHand: { key: 'c', values: other } }),
      ],
      'c setAside, >b pending',
    ],
    [
      'is left over after a reload',
      [reopened(line('a', 'leftOver'), line('b', 'setAside'))],
      'a leftOver, b setAside',
    ],
    [
      'is sent after a reload when the person says so, but for what was set aside',
      [reopened(line('a', 'leftOver'), line('b', 'setAside')), leftOversReleased({ sheetId })],
      '>a pending, b setAside',
    ],
    [
      'goes on when what is left over is released',
      [
        reopened(line('a', 'leftOver')),
        enter('b'),
        sent(of('b')),
        unanswered(of('b')),
        leftOversReleased({ sheetId }),
      ],
      '>a pending, b unanswered',
    ],
    [
      'stays until the list shows it',
      [enter('a'), sent(of('a')), record('a', 7), listed({ sheetId, ids: [6] })],
      'a recorded',
    ],
    [
      'goes when the list shows it',
      [enter('a'), enter('b'), sent(of('a')), record('a', 7), listed({ sheetId, ids: [6, 7] })],
      '>b pending',
    ],
    [
      'goes when it is undone',
      [enter('a'), sent(of('a')), record('a', 7), undone({ sheetId, detail: detail(7) })],
      '',
    ],
    [
      'goes when someone else was at it',
      [enter('a'), sent(of('a')), record('a', 7), changedByOther({ sheetId, detailId: 7 })],
      '',
    ],
    ['is left behind by whoever goes', [enter('a'), abandoned({ sheetId })], ''],
    [
      'is nothing any more when its answer comes too late',
      [enter('a'), sent(of('a')), abandoned({ sheetId }), record('a', 7), enter('b')],
      '',
    ],
    ['is gone with the session', [enter('a'), api.util.resetApiState()], ''],
    [
      'is found on its way by whoever comes back',
      [enter('a'), enter('b'), sent(of('a')), reopened(line('a', 'leftOver'))],
      'a sending, b pending',
    ],
    [
      'is found stored by whoever comes back when nothing is on its way',
      [enter('a'), sent(of('a')), record('a', 7), reopened(line('z', 'leftOver'))],
      'z leftOver',
    ],
  ])('%s', (_, events, expected) => {
    expect(shown(stateOf([open, ...events]))).toBe(expected);
  });

  it('is of one sheet alone', () => {
    const elsewhere = [
      opened({ sheetId: 2, stored: { lines: [], begun: null, scans: [] } }),
      entered({ sheetId: 2, key: 'x', values }),
    ];
    expect(
      shown(stateOf([open, enter('a'), sent(of('a')), ...elsewhere, sent({ sheetId: 2, key: 'x' })])),
    ).toBe('a sending');
  });

  it('says why it was refused, every message of it', () => {
    const messages = ['One.', 'Two.'].map((text) => ({ field: 'quantity', code: null, text }));
    const state = stateOf([open, enter('a'), sent(of('a')), refused({ ...of('a'), messages })]);
    expect(outboxOf({ outbox: state }, sheetId).lines[0]?.reason).toBe('One. Two.');
  });
});

describe('what can be undone, and what is told', () => {
  const both = [open, enter('a'), sent(of('a')), record('a', 7), enter('b'), sent(of('b')), record('b', 8)];

  it.each([
    ['what was recorded, the last one last', both, [7, 8], 'recorded 8'],
    ['not what is undone', [...both, undone({ sheetId, detail: detail(8) })], [7], 'undone 8'],
    ['not what someone else was at', [...both, changedByOther({ sheetId, detailId: 8 })], [7], 'recorded 8'],
    ['still what the list shows', [...both, listed({ sheetId, ids: [7, 8] })], [7, 8], 'recorded 8'],
    ['nothing of an earlier visit', [...both, open], [], undefined],
  ])('%s', (_, events, undoable, told) => {
    const outbox = outboxOf({ outbox: stateOf(events) }, sheetId);
    expect(outbox.undoable.map((one) => one.detail.id)).toEqual(undoable);
    expect(outbox.told ? `${outbox.told.what} ${outbox.told.detail.id}` : undefined).toBe(told);
  });

  it('are known to be of this visit, undone or not', () => {
    const state = stateOf([...both, undone({ sheetId, detail: detail(8) })]);
    expect(outboxOf({ outbox: state }, sheetId).recordedIds).toEqual([7, 8]);
  });
});

describe('what stands in the form', () => {
  it.each([
    ['is what was typed', [open, typed({ sheetId, values: other })], other],
    ['is nothing once it is entered', [open, typed({ sheetId, values }), enter('a')], null],
    ['is what was stored', [opened({ sheetId, stored: { lines: [], begun: other, scans: [] } })], other],
    ['is nothing on a sheet that is not open', [typed({ sheetId, values })], undefined],
    ['is left behind by whoever goes', [open, typed({ sheetId, values }), abandoned({ sheetId })], undefined],
  ])('%s', (_, events, begun) => {
    expect(stateOf(events).begun[sheetId]).toEqual(begun);
  });
});
