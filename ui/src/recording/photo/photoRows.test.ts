import { expect, test } from 'vitest';
import type { ProductLookupView } from '@/api/generated';
import { GS } from '@/symbols/scanDetector';
import { seen } from '@/test/photo';
import { answer, by, match, means, NOW, reading } from '@/test/recorder';
import { isUncounted, type Knowledge, packsIn, photoRows, rowsToAsk, textsOf } from './photoRows';

const GTIN = '09520000001858';
const PACK = `]d201${GTIN}1728013110L1`;
const symbols = (...texts: (string | null)[]) => texts.map((text, place) => seen(text, 400 * place));
const person = {
  ...{ id: 3, name: 'Ana', first_surname: 'Vega', second_surname: null, record_number: null },
  date_of_birth: null,
};
const wristband = (sheetId: number) =>
  answer({
    people: [
      {
        ...person,
        sheet_id: sheetId,
        sheets: [{ id: sheetId, admission_date: '2026-11-20', room: { id: 7, name: '203' } }],
      },
    ],
  });

/** Return what pictures with these symbols show on sheet 1. */
function shows(
  pictures: ReturnType<typeof symbols>[],
  answers: Record<string, ProductLookupView | 'failed'>,
  more: Partial<Knowledge> = {},
) {
  return photoRows(
    pictures.map((one, place) => ({ id: String(place), symbols: one })),
    {
      ...{ sheetId: 1, by, now: NOW, told: new Map(), quantities: new Map() },
      answers: new Map(Object.entries(answers)),
      ...more,
    },
  );
}
const told = (...given: Parameters<typeof shows>) =>
  shows(...given).rows.map(({ tone, quantity }) => [tone, quantity]);

const lot = { lot: 'L1', expiry: '2028-01-31' };

test.each<[string, ProductLookupView | 'failed' | undefined, string]>([
  ['a known pack', means(1, lot), 'green'],
  ['an expired one', means(1, { ...lot, expiry: '2026-11-24' }), 'amber'],
  ['a recalled one', { ...means(1, lot), recall: { id: 4, reason: '', since: NOW.at } }, 'amber'],
  [
    'a used serial number',
    {
      ...means(1, { ...lot, serial: 'S' }),
      serial_used: { consumption_sheet_id: 9, at: NOW.at },
    } as ProductLookupView,
    'amber',
  ],
  ['an implant without serial number', means(1, lot, { product: { implant: true } }), 'amber'],
  ['an implant with both', means(1, { ...lot, serial: 'S' }, { product: { implant: true } }), 'green'],
  ['a box', means(1, lot, { units: 100 }), 'amber'],
  ['a lot that may be mixed with other data', means(1, { ...lot, separator_lost: true }), 'amber'],
  ['a code of two products', answer({ matches: [match(1), match(2)] }), 'amber'],
  ['a code and a patient', { ...wristband(2), matches: [match(1)] }, 'amber'],
  ['an unknown code', answer({ reading: reading() }), 'grey'],
  ['an inactive product', means(1, lot, { product: { active: false } }), 'grey'],
  ['a label of a kit', answer({ label: { kind: 'kit', state: 'found', kit_id: 6 } }), 'none'],
  ['a lot without its product', answer({ reading: reading({ gtin: null, lot: 'L1' }) }), 'none'],
  ['no answer', 'failed', 'failed'],
  ['no answer yet', undefined, 'looking'],
])('%s', (_, is, tone) => {
  expect(shows([symbols(PACK)], is ? { [PACK]: is } : {}).rows).toMatchObject([{ tone }]);
});

test('equal packs of one picture are counted, those of two asked about', () => {
  const answers = { [PACK]: means(1, lot) };
  expect(told([symbols(PACK, PACK, PACK)], answers)).toEqual([['green', 3]]);
  expect(told([symbols(PACK, PACK), symbols(PACK)], answers)).toEqual([['amber', null]]);
  const [row] = shows([symbols(PACK), symbols(PACK)], answers).rows;
  const said = new Map([[row?.key ?? '', 2]]);
  expect(told([symbols(PACK), symbols(PACK)], answers, { quantities: said })).toEqual([['green', 2]]);
});

test('a serial number in two pictures is one pack', () => {
  const unit = `${PACK}${GS}21S-9`;
  const answers = { [unit]: means(1, { ...lot, serial: 'S-9' }) };
  expect(told([symbols(unit), symbols(unit, unit)], answers)).toEqual([['green', 1]]);
});

test('a GTIN and its lot apart are one line, which the server checks', () => {
  const [gtin, apart] = [`]C101${GTIN}`, ']C1' + '10L1'];
  const picture = [[seen(gtin, 0), seen(apart, 150)]];
  const [pack] = packsIn({ id: '0', symbols: picture[0] ?? [] });
  expect(pack && textsOf(pack)).toEqual([gtin, apart]);
  const answers = { [gtin]: means(1, {}), [apart]: answer({ reading: reading({ gtin: null, lot: 'L1' }) }) };
  const [row] = shows(picture, answers).rows;
  expect(row).toMatchObject({ tone: 'looking', recheck: { product_id: 1, lot: 'L1' } });
  const key = row?.key ?? '';
  expect(told(picture, answers, { told: new Map([[key, null]]) })).toEqual([['green', 1]]);
  const recalled = { recalled: { id: 4, reason: '', since: NOW.at }, serialUsed: null };
  expect(told(picture, answers, { told: new Map([[key, recalled]]) })).toEqual([['amber', 1]]);
});

test('an address of the web is no pack', () => {
  expect(packsIn({ id: '0', symbols: symbols(']Q1https://example.org/ifu') })).toEqual([]);
  const link = `]Q1https://id.gs1.org/01/${GTIN}/10/L1`;
  expect(packsIn({ id: '0', symbols: symbols(link) })).toMatchObject([{ gtin: GTIN }]);
});

test('a wristband of this patient is proof, another refuses its picture', () => {
  const answers = { [PACK]: means(1, lot), own: wristband(1), other: wristband(2) };
  const { pictures, rows } = shows([symbols(PACK, 'own'), symbols(PACK, PACK, 'other')], answers);
  expect(pictures).toMatchObject([
    { own: { id: 3 }, other: null, packs: 1 },
    { own: null, other: { id: 3 } },
  ]);
  expect(rows).toMatchObject([{ quantity: 1, tone: 'green' }]);
});

test('a picture with wristbands of two patients is refused', () => {
  const answers = { [PACK]: means(1, lot), own: wristband(1), other: wristband(2) };
  expect(told([symbols(PACK, 'own', 'other')], answers)).toEqual([]);
});

test('what an area uses it for changes the questions, as at a scan', () => {
  const answers = { [PACK]: means(1, { ...lot, expiry: '2026-11-24' }) };
  const expired = { by: { ...by, use_reason: 'expired' as const } };
  expect(told([symbols(PACK)], answers, expired)).toEqual([['green', 1]]);
});

test('boxes of two products are asked about one by one', () => {
  const answers = { [PACK]: answer({ matches: [match(1), match(2, { units: 10 })] }) };
  const { rows } = shows([symbols(PACK, PACK)], answers);
  expect(rows.flatMap(rowsToAsk)).toMatchObject([{ kind: 'choice' }, { kind: 'choice' }]);
  const each = { [PACK]: answer({ matches: [match(1), match(2)] }) };
  expect(shows([symbols(PACK, PACK)], each).rows.flatMap(rowsToAsk)).toMatchObject([{ times: 2 }]);
  const [apart] = shows([symbols(PACK), symbols(PACK)], each).rows;
  expect(apart && isUncounted(apart)).toBe(true);
});

test('a row that is asked about has a key of its own', () => {
  const answers = { [PACK]: means(1, { ...lot, expiry: '2026-11-24' }) };
  const { rows } = shows([symbols(PACK)], answers);
  const [first, second] = [rows.flatMap(rowsToAsk)[0], rows.flatMap(rowsToAsk)[0]];
  expect(first).toMatchObject({ kind: 'line', isFresh: false, values: { lot: 'L1', quantity: 1 } });
  expect(first?.key).not.toBe(second?.key);
});
