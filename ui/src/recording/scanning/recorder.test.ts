import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProductLookupView } from '@/api/generated';
import { answer, by, byHand, match, means, NOW, reading, Sheet } from '@/test/recorder';
import { reduceRecorder } from './recorder';
import { asStored, isListed, type RecorderEvent } from './recorderState';

describe('a scan', () => {
  it('adds a line at once, recorded after a short delay', () => {
    const sheet = new Sheet();
    sheet.scan('A', means(1));
    expect(sheet.row('line').values).toMatchObject({ product_id: 1, quantity: 1, staff_id: 7, area_id: 2 });
    expect(sheet.recorded).toEqual([]);
    expect(sheet.wait().recorded).toEqual([[1, 1]]);
    expect(sheet.kinds).toEqual([]);
    expect(sheet.signals).toEqual(['taken']);
  });

  it('adds one for the same code; another code records the line', () => {
    const sheet = new Sheet();
    sheet.scan('A', means(1));
    sheet.scan('A', means(1));
    sheet.scan('B', means(2));
    expect(sheet.recorded).toEqual([[1, 2]]);
    expect(sheet.row('line').values.product_id).toBe(2);
  });

  it('is recorded when the page is left', () => {
    const sheet = new Sheet();
    sheet.scan('A', means(1));
    expect(sheet.send({ type: 'left' }).recorded).toEqual([[1, 1]]);
  });

  it('restarts the delay after each change', () => {
    const sheet = new Sheet();
    const key = sheet.scan('A', means(1));
    sheet.send({ type: 'quantitySet', key, quantity: 4 });
    expect(sheet.send({ type: 'delayElapsed', key, changes: 0 }).recorded).toEqual([]);
    expect(sheet.send({ type: 'delayElapsed', key, changes: 1 }).recorded).toEqual([[1, 4]]);
  });

  it('uses the quantity entered before it', () => {
    const sheet = new Sheet();
    sheet.scan('A', means(1), 3);
    sheet.scan('A', means(1), 2);
    expect(sheet.wait().recorded).toEqual([[1, 5]]);
  });

  it('leaves nothing if it is removed', () => {
    const sheet = new Sheet();
    const key = sheet.scan('A', means(1));
    sheet.send({ type: 'removed', key });
    sheet.scan('B', means(2));
    expect(sheet.wait().recorded).toEqual([[2, 1]]);
  });

  it('is removed by a quantity of 0', () => {
    const sheet = new Sheet();
    const key = sheet.scan('A', means(1));
    sheet.send({ type: 'quantitySet', key, quantity: 0 });
    expect(sheet.kinds).toEqual([]);
  });

  it('is not doubled or held if the page restores its own rows', () => {
    const sheet = new Sheet();
    sheet.scan('A', means(1));
    sheet.send({ type: 'restored', rows: sheet.state.rows });
    expect(sheet.state.rows).toHaveLength(1);
    expect(sheet.wait().recorded).toEqual([[1, 1]]);
  });

  it('from before a reload is recorded by a person only', () => {
    const before = new Sheet();
    before.scan('A', means(1));
    const sheet = new Sheet();
    sheet.send({ type: 'restored', rows: before.state.rows });
    sheet.scan('B', means(2), undefined, true);
    expect(sheet.wait().recorded).toEqual([]);
    for (const { key } of sheet.state.rows) sheet.send({ type: 'released', key });
    expect(sheet.recorded).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it.each([
    ['unknown', answer()],
    ['inactive', answer({ matches: [match(1, { product: { active: false } })] })],
    ['choice', answer({ matches: [match(1), match(2)] })],
    ['choice', answer({ matches: [match(1)], read_as: 'GA-01' })],
    ['bare', answer({ reading: reading({ gtin: null, lot: '42331', bare: true }) })],
  ])('without a line stays as %s, beside the lines', (kind, answered) => {
    const sheet = new Sheet();
    sheet.scan('A', means(1));
    sheet.scan('x', answered);
    sheet.scan('B', means(2));
    sheet.wait();
    expect(sheet.kinds).toEqual([kind]);
    expect(sheet.recorded).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it('of several products uses the chosen one', () => {
    const sheet = new Sheet();
    const key = sheet.scan('x', answer({ matches: [match(1), match(2)] }));
    sheet.send({ type: 'matchChosen', key, match: match(2) });
    expect(sheet.wait().recorded).toEqual([[2, 1]]);
  });

  it('of a box asks how many units were used', () => {
    const sheet = new Sheet();
    const key = sheet.scan('A', answer({ matches: [match(1, { units: 50 })] }));
    expect(sheet.wait().recorded).toEqual([]);
    sheet.send({ type: 'quantitySet', key, quantity: 50 });
    expect(sheet.wait().recorded).toEqual([[1, 50]]);
  });
});

describe('a question', () => {
  const lot = { lot: 'L1' };

  it.each([
    ['lot.expired', means(1, { ...lot, expiry: '2026-11-24' })],
    ['lot.recalled', { ...means(1, lot), recall: { id: 1, reason: 'x', since: '2026-11-12T12:00:00Z' } }],
    ['serial.used', { ...means(1, { serial: 'S' }), serial_used: { consumption_sheet_id: 3, at: '' } }],
    ['lot.required', answer({ matches: [match(1, { product: { asks_lot: true } })] })],
    ['serial.required', answer({ matches: [match(1, { product: { asks_serial: true } })] })],
    ['implant.incomplete', means(1, lot, { product: { implant: true } })],
  ])('%s keeps the line open until a person answers', (code, answered) => {
    const sheet = new Sheet();
    const key = sheet.scan('A', answered as ProductLookupView);
    sheet.wait().send({ type: 'left' });
    sheet.scan('B', means(2));
    expect(sheet.wait().recorded).toEqual([[2, 1]]);
    sheet.send({ type: 'released', key, reasons: { recall_reason: 'x', implant_reason: 'y' } });
    expect(sheet.lastRecorded).toMatchObject({ product_id: 1, acknowledged: [code] });
  });

  it('about an implant needs a reason, or both its lot and its serial number', () => {
    const sheet = new Sheet();
    const implant = means(1, lot, { product: { implant: true } });
    const key = sheet.scan('A', implant);
    expect(sheet.wait().send({ type: 'released', key }).recorded).toEqual([]);
    sheet.send({ type: 'released', key, reasons: { implant_reason: 'La etiqueta no lo trae' } });
    expect(sheet.lastRecorded).toMatchObject({
      lot: 'L1',
      acknowledged: ['implant.incomplete'],
      implant_reason: 'La etiqueta no lo trae',
    });
    const other = sheet.scan('B', implant);
    sheet.send({ type: 'packSet', key: other, part: 'serial', value: 'S1' });
    sheet.send({ type: 'released', key: other });
    expect(sheet.lastRecorded).toMatchObject({ lot: 'L1', serial: 'S1', acknowledged: [] });
    expect(sheet.lastRecorded?.implant_reason).toBeNull();
  });

  it('is not asked about an implant whose scan has its lot and serial number', () => {
    const sheet = new Sheet();
    sheet.scan('A', means(1, { ...lot, serial: 'S1' }, { product: { implant: true } }));
    expect(sheet.wait().lastRecorded).toMatchObject({ lot: 'L1', serial: 'S1', acknowledged: [] });
  });

  it('about a recall needs a reason, or sets the units aside', () => {
    const sheet = new Sheet();
    const recalled = { ...means(1, lot), recall: { id: 4, reason: 'x', since: '2026-11-12T12:00:00Z' } };
    const key = sheet.scan('A', recalled as ProductLookupView);
    expect(sheet.send({ type: 'released', key }).recorded).toEqual([]);
    sheet.send({ type: 'released', key, reasons: { recall_reason: 'era el último' } });
    expect(sheet.lastRecorded).toMatchObject({ lot: 'L1', recall_reason: 'era el último' });
    const line = sheet.scan('B', recalled as ProductLookupView);
    const unit = { recallId: 4, product: 'P', quantity: 1, lot: 'L1', roomId: 2, areaId: null };
    sheet.send({ type: 'setAside', key: 'k', lineKey: line, unit });
    const row = { kind: 'setAside', key: 'k', unit, isFailed: false };
    expect(sheet.effects).toContainEqual({ do: 'setAside', row });
    expect(sheet.state.rows).toEqual([row]);
    expect(sheet.send({ type: 'setAside', key: 'k', unit }).state.rows).toEqual([row]);
    sheet.send({ type: 'setAsideFailed', key: 'k' }).send({ type: 'left' });
    expect(sheet.state.rows).toEqual([{ ...row, isFailed: true }]);
    sheet.send({ type: 'retried' });
    expect(sheet.state.rows).toEqual([row]);
    expect(sheet.send({ type: 'setAsideArrived', key: 'k' }).state.rows).toEqual([]);
    expect(sheet.recorded).toHaveLength(1);
  });

  it('about a lost separator is answered by confirming only', () => {
    const sheet = new Sheet();
    const key = sheet.scan('A', means(1, { lot: 'L1', serial: '7', separator_lost: true }));
    expect(sheet.effects).toContainEqual({ do: 'focus', key, part: 'lot' });
    expect(sheet.send({ type: 'released', key }).recorded).toEqual([]);
    sheet.send({ type: 'confirmed', key }).wait();
    expect(sheet.lastRecorded).toMatchObject({ lot: 'L1', serial: '7' });
  });

  it('that arrives late stops the delay', () => {
    const sheet = new Sheet();
    const key = sheet.scan('A', means(1, lot));
    sheet.send({
      type: 'rechecked',
      key,
      pack: { lot: 'L1', expiry: null, serial: null },
      told: { recalled: { id: 1, reason: 'x', since: '2026-11-12T12:00:00Z' }, serialUsed: null },
    });
    expect(sheet.wait().recorded).toEqual([]);
    expect(sheet.signals).toEqual(['taken', 'asked']);
  });
});

describe('a recorded line', () => {
  const sheet = new Sheet();
  const key = sheet.scan('A', means(1));
  const { state, effects } = reduceRecorder(sheet.state, { type: 'left' }, NOW);
  const unit = { recallId: 4, product: 'P', quantity: 1, lot: 'L1', roomId: 2, areaId: null };

  it.each<RecorderEvent>([
    { type: 'removed', key },
    { type: 'quantitySet', key, quantity: 0 },
    { type: 'quantitySet', key, quantity: 9 },
    { type: 'packSet', key, part: 'lot', value: 'L2' },
    { type: 'released', key },
    { type: 'delayElapsed', key, changes: 0 },
    { type: 'setAside', key: 'other', unit, lineKey: key },
    { type: 'left' },
  ])('is not changed or recorded again by %o while it is stored', (event) => {
    expect(reduceRecorder(state, event, NOW)).toEqual({ state, effects: [] });
  });

  it('leaves the rows once it is stored', () => {
    expect(effects).toMatchObject([{ do: 'record', key, values: { product_id: 1 } }]);
    expect(reduceRecorder(state, { type: 'stored', key }, NOW).state.rows).toEqual([]);
  });

  it('stays listed if it was scanned, and is not listed for a moment if it was typed', () => {
    expect(state.rows.filter(isListed)).toMatchObject([{ key }]);
    const typed = reduceRecorder(
      new Sheet().state,
      { type: 'entered', key: 'typed', values: byHand(1, 2) },
      NOW,
    );
    expect(typed.effects).toMatchObject([{ do: 'record', key: 'typed' }]);
    expect(typed.state.rows).toMatchObject([{ key: 'typed', isStoring: true }]);
    expect(typed.state.rows.filter(isListed)).toEqual([]);
  });

  it('does not take the next scan', () => {
    const next = new Sheet();
    next.state = state;
    next.scan('A', means(1));
    next.scan('10L1', answer({ reading: reading({ gtin: null, lot: 'L1' }) }));
    expect(next.state.rows).toMatchObject([
      { key, isStoring: true, values: { quantity: 1, lot: null } },
      { kind: 'line', values: { quantity: 1, lot: 'L1' } },
    ]);
  });

  it('that a crash left is recorded by a person, as the same entry', () => {
    const restored = new Sheet();
    restored.send({ type: 'restored', rows: state.rows }).wait();
    expect(restored.recorded).toEqual([]);
    restored.send({ type: 'released', key });
    expect(restored.effects).toEqual(effects);
  });

  it('keeps the moment in which it was recorded', () => {
    const hand = new Sheet();
    hand.send({ type: 'entered', key: 'k', values: byHand(1, 2, { used_at: null }) });
    expect(hand.lastRecorded?.used_at).toBe(NOW.at);
  });
});

it('stores no patient across reloads', () => {
  const sheet = new Sheet();
  const whose = {
    id: 2,
    name: 'Ana',
    first_surname: 'Zamudio',
    second_surname: null,
    record_number: 'E-2',
    date_of_birth: null,
    sheet_id: null,
    sheets: [],
  };
  sheet.scan('E-2', answer({ people: [whose] }));
  sheet.scan('650', answer({ people: [whose], matches: [match(1)] }));
  const stored = sheet.state.rows.flatMap(asStored);
  expect(JSON.stringify(stored)).not.toContain('Zamudio');
  expect(stored.map(({ kind }) => kind)).toEqual(['looking', 'looking']);
});

it('notes an unlisted item under one key, and retries it', () => {
  const sheet = new Sheet();
  sheet.send({ type: 'noted', key: 'n', description: 'bisturí láser', quantity: 1, by });
  sheet.send({ type: 'noteFailed', key: 'n' });
  sheet.send({ type: 'retried' });
  expect(sheet.effects.map((effect) => effect.do === 'note' && effect.row.key)).toEqual(['n', 'n']);
  sheet.send({ type: 'noteArrived', key: 'n' });
  expect(sheet.kinds).toEqual([]);
});

/*
 * Every scanned code becomes one unit of a recorded line or of an open row, regardless of what happens in between:
 * pauses, keys, leaving, a reload.
 */
it('loses and duplicates no scan in random sequences', () => {
  const codes: Record<string, ProductLookupView> = {
    A: means(1),
    B: means(2),
    L: means(3, { lot: 'L1' }),
    M: means(3, { lot: 'L2' }),
    X: means(4, { lot: 'L1', expiry: '2020-01-01' }),
    S: answer({ matches: [match(5), match(6)] }),
    U: answer(),
  };
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('scan' as const),
        code: fc.constantFrom(...Object.keys(codes)),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ do: 'wait' as const }) },
    { weight: 1, arbitrary: fc.constant({ do: 'leave' as const }) },
    { weight: 1, arbitrary: fc.constant({ do: 'reload' as const }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('hand' as const), quantity: fc.integer({ min: 1, max: 9 }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), which: fc.nat() }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const sheet = new Sheet();
      let scanned = 0;
      let hand = 0;
      for (const one of steps) {
        if (one.do === 'scan') {
          sheet.scan(one.code, codes[one.code] as ProductLookupView);
          scanned += 1;
        } else if (one.do === 'wait') sheet.wait();
        else if (one.do === 'leave') sheet.send({ type: 'left' });
        else if (one.do === 'reload') {
          const { rows } = sheet.state;
          sheet.state = { sheetId: 1, rows: [] };
          sheet.send({ type: 'restored', rows });
        } else if (one.do === 'hand') {
          hand += one.quantity;
          sheet.send({ type: 'entered', key: `hand ${hand}`, values: byHand(9, one.quantity) });
        } else {
          const row = sheet.state.rows[one.which % Math.max(sheet.state.rows.length, 1)];
          if (row) sheet.send({ type: 'released', key: row.key });
        }
      }
      const count = (quantity: unknown) => (typeof quantity === 'number' ? quantity : 0);
      const ofScans = sheet.recorded
        .filter(([id]) => id !== 9)
        .reduce((sum, [, quantity]) => sum + count(quantity), 0);
      const ofHand = sheet.recorded
        .filter(([id]) => id === 9)
        .reduce((sum, [, quantity]) => sum + count(quantity), 0);
      const open = sheet.state.rows.reduce(
        (sum, row) => sum + (row.kind === 'line' ? count(row.values.quantity) : 1),
        0,
      );
      expect(ofHand).toBe(hand);
      expect(ofScans + open).toBe(scanned);
    }),
    { numRuns: 400 },
  );
});
