import { describe, expect, it } from 'vitest';
import type { Person } from '@/scan/wristbands';
import { answer, by, byHand, match, means, reading, Sheet } from '@/test/recorder';

describe("a symbol's pack data", () => {
  it('fills empty parts, and asks about contradictions', () => {
    const sheet = new Sheet();
    const key = sheet.scan('A', means(1, {}));
    sheet.scan('10L1', answer({ reading: reading({ gtin: null, lot: 'L1' }) }));
    sheet.scan('21S1', answer({ reading: reading({ gtin: null, serial: 'S1' }) }));
    expect(sheet.row('line').values).toMatchObject({ lot: 'L1', serial: 'S1', quantity: 1 });
    const other = sheet.scan('10L2', answer({ reading: reading({ gtin: null, lot: 'L2' }) }));
    expect(sheet.kinds).toEqual(['line', 'differs']);
    sheet.send({ type: 'lineCorrected', key: other });
    expect(sheet.row('line')).toMatchObject({ key, values: { lot: 'L2' } });
  });

  it('may belong to another pack of the same product', () => {
    const sheet = new Sheet();
    sheet.scan('A', means(1, { lot: 'L1' }));
    const other = sheet.scan('10L2', answer({ reading: reading({ gtin: null, lot: 'L2' }) }));
    sheet.send({ type: 'anotherPack', key: other }).wait();
    expect(sheet.recorded).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(sheet.lastRecorded).toMatchObject({ lot: 'L2' });
  });

  it('may precede the product', () => {
    const sheet = new Sheet();
    sheet.scan('10L1', answer({ reading: reading({ gtin: null, lot: 'L1' }) }));
    sheet.scan('A', means(1, {}));
    sheet.wait();
    expect(sheet.lastRecorded).toMatchObject({ product_id: 1, lot: 'L1' });
  });

  it('starts a line per lot, and one unit per serial number', () => {
    const sheet = new Sheet();
    for (const [raw, read] of [
      ['a', { lot: 'L1' }],
      ['b', { lot: 'L2' }],
      ['c', { lot: 'L2', serial: 'S1' }],
      ['c', { lot: 'L2', serial: 'S1' }],
      ['d', { lot: 'L2', serial: 'S2' }],
    ] as const)
      sheet.scan(raw, means(1, read));
    sheet.wait();
    expect(sheet.recorded).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });
});

describe('manual entry', () => {
  it('is recorded at once', () => {
    const sheet = new Sheet();
    sheet.send({ type: 'entered', key: 'k', values: byHand(1, 12) });
    expect(sheet.recorded).toEqual([[1, 12]]);
  });

  it('is recorded by a scan if typed, kept open if proposed', () => {
    const sheet = new Sheet();
    sheet.send({ type: 'putAside', key: 'a', values: byHand(1, 12), isAssumed: false });
    sheet.scan('B', means(2));
    expect(sheet.recorded).toEqual([[1, 12]]);
    sheet.send({ type: 'putAside', key: 'c', values: byHand(3, 1), isAssumed: true });
    sheet.scan('B', means(2));
    sheet.wait();
    expect(sheet.kinds).toEqual(['line']);
    sheet.send({ type: 'released', key: 'c' });
    expect(sheet.lastRecorded).toMatchObject({ product_id: 3, quantity: 1 });
  });

  it('becomes the scanned pack of the same product', () => {
    const sheet = new Sheet();
    sheet.send({ type: 'putAside', key: 'a', values: byHand(1, 1), isAssumed: true });
    sheet.scan('A', means(1, { lot: 'L1' }));
    sheet.wait();
    expect(sheet.recorded).toEqual([[1, 1]]);
    expect(sheet.lastRecorded).toMatchObject({ lot: 'L1' });
  });

  it('asks for a required lot', () => {
    const sheet = new Sheet();
    const values = byHand(1, 1, { product: match(1, { product: { asks_lot: true } }).product });
    sheet.send({ type: 'entered', key: 'a', values });
    expect(sheet.effects).toContainEqual({ do: 'focus', key: 'a', part: 'lot' });
    sheet.send({ type: 'packSet', key: 'a', part: 'lot', value: 'L4' }).wait();
    expect(sheet.lastRecorded).toMatchObject({ lot: 'L4', acknowledged: [] });
  });
});

describe('a wristband', () => {
  const person = (id: number, ...sheets: number[]): Person => ({
    id,
    name: 'Ana',
    first_surname: `Paciente ${id}`,
    second_surname: null,
    record_number: `E-${id}`,
    date_of_birth: null,
    sheet_id: null,
    sheets: sheets.map((sheet) => ({
      id: sheet,
      room: { id: sheet, name: `R${sheet}` },
      admission_date: '2026-11-20',
    })),
  });

  it('that was dismissed leaves what follows to a person', () => {
    const sheet = new Sheet();
    const key = sheet.scan('E-3', answer({ people: [person(3)] }));
    sheet.send({ type: 'removed', key });
    expect(sheet.effects).toContainEqual({ do: 'dismiss', person: person(3), visit: '' });
    const known = sheet.scan('E-1', answer({ people: [person(1, 1)] }));
    sheet.effects = [];
    sheet.send({ type: 'removed', key: known });
    expect(sheet.effects).toEqual([]);
  });

  it.each([
    ['of this patient', person(1, 1), 'taken'],
    ['of one without an open sheet', person(3), 'asked'],
    ['of one with two', person(4, 5, 6), 'asked'],
  ])('%s is shown, and no sheet opens', (_, whose, signal) => {
    const sheet = new Sheet();
    sheet.scan('E', answer({ people: [whose] }));
    expect(sheet.kinds).toEqual(['wristband']);
    expect(sheet.signals).toEqual([signal]);
    expect(sheet.effects.some((effect) => effect.do === 'openSheet')).toBe(false);
  });

  it('that is also a product code is asked about', () => {
    const sheet = new Sheet();
    const both = answer({ matches: [match(1)], people: [person(2, 5)] });
    const first = sheet.scan('650', both);
    sheet.send({ type: 'matchChosen', key: first, match: match(1) });
    const second = sheet.scan('650', both);
    sheet.send({ type: 'patientChosen', key: second, sheetId: 5 });
    expect(sheet.recorded).toEqual([[1, 1]]);
    expect(sheet.effects.some((effect) => effect.do === 'openSheet')).toBe(true);
  });
});

describe("one of Consumo's labels", () => {
  const label = (state: string, kit_id: number | null = null) =>
    answer({ label: { kind: 'kit', state, kit_id } });

  it("opens the kit's lines and leaves the line in hand", () => {
    const sheet = new Sheet();
    sheet.scan('A', means(1));
    sheet.scan('CNSK123456198', label('found', 1));
    expect(sheet.kinds).toEqual(['line']);
    expect(sheet.effects).toContainEqual({ do: 'openKit', kitId: 1 });
  });

  it('says that it names nothing here', () => {
    const sheet = new Sheet();
    sheet.scan('CNSK123456198', label('missing'));
    sheet.scan('CNSK654321195', label('foreign'));
    expect(sheet.kinds).toEqual(['label', 'label']);
    expect(sheet.recorded).toEqual([]);
  });
});

describe('what an area uses it for', () => {
  const asArea = { use_reason: '' as const };
  const giveReason = (sheet: Sheet) => sheet.send({ type: 'reasonChosen', reason: 'cleaning' });
  const scanInArea = (sheet: Sheet, id: number, read = {}) => {
    const scan = { key: `s${id}`, raw: `${id}`, times: undefined, by: { ...by, ...asArea } };
    return sheet.send({
      type: 'lookedUp',
      scan: { ...scan, answer: means(id, read), visit: '', isOld: false },
    });
  };

  it('records what waited for it, and no other line', () => {
    const sheet = new Sheet();
    scanInArea(sheet, 1);
    sheet.send({ type: 'entered', key: 'k', values: byHand(2, 5, asArea) });
    scanInArea(sheet, 3, { lot: 'L', expiry: '2026-11-01' });
    scanInArea(sheet, 4);
    sheet.wait();
    expect(sheet.recorded).toEqual([]);
    giveReason(sheet).wait();
    // The third has expired, which a person has to answer.
    expect(sheet.recorded).toEqual([
      [1, 1],
      [2, 5],
      [4, 1],
    ]);
    expect(sheet.lastRecorded?.use_reason).toBe('cleaning');
    expect(sheet.row('line').values).toMatchObject({ product_id: 3, use_reason: 'cleaning' });
  });

  it('leaves a line from before a reload to a person', () => {
    const sheet = new Sheet();
    const before = new Sheet();
    before.send({ type: 'entered', key: 'k', values: byHand(2, 5, asArea) });
    sheet.send({ type: 'restored', rows: before.state.rows });
    expect(giveReason(sheet).wait().recorded).toEqual([]);
    expect(sheet.send({ type: 'released', key: 'k' }).recorded).toEqual([[2, 5]]);
  });

  it('asks for no implant data, and of the expired no expiry', () => {
    const implant = { product: { implant: true, asks_lot: true } };
    const sheet = new Sheet();
    const own = { ...by, use_reason: 'expired' as const };
    const answered = means(1, { expiry: '2026-11-01' }, implant);
    const scan = { key: 's', raw: '1', times: undefined, by: own, answer: answered, visit: '', isOld: false };
    expect(sheet.send({ type: 'lookedUp', scan }).wait().recorded).toEqual([[1, 1]]);
  });
});
