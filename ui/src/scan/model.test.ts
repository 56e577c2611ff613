import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gtinOf, type Meanings, ScanWorld } from '@/test/scanWorld';
import { isStoredScan } from './storedScans';

/*
 * A model of the queue: each pack belongs to the patient whose wristband came last before it, or whose page was opened.
 *
 * Random sequences of scans, typing, dialogs, pages, late answers, lost networks and reloads must record no pack for
 * another patient, lose none and record none twice.
 */

const RUNS = process.env.WALK === 'all' ? 100_000 : 2_000;
const SHEETS = [1, 2, 3];
const WRISTBANDS = new Map([
  ['EXP-2026-0013', [1]],
  ['EXP-2026-0142', [2]],
  ['8018952000000000000019', [3]],
  ['EXP-2026-0777', [2, 3]],
  ['EXP-2026-0999', []],
]);
const PRODUCTS = 60;
const pace = fc.integer({ min: 5, max: 200 });
const pauses = fc.array(fc.tuple(fc.nat({ max: 14 }), fc.integer({ min: 110, max: 3000 })), { maxLength: 2 });
const which = fc.nat({ max: 40 });
const before = fc.constantFrom('', '', '', 'bis', '3', 'AB12');
const kind = fc.constantFrom(
  'bar' as const,
  'bar' as const,
  'number' as const,
  'text' as const,
  'none' as const,
);

const scan = fc.record({
  do: fc.constant('scan' as const),
  /** Which form: a plain GTIN, a symbol with lot and expiry, or a short code. */
  form: fc.constantFrom('gtin' as const, 'symbol' as const, 'short' as const),
  pace,
  pauses,
  before,
  kind,
});
const band = fc.record({
  do: fc.constant('band' as const),
  code: fc.constantFrom(...WRISTBANDS.keys()),
  pace,
  pauses,
  kind,
});
const step = fc.oneof(
  { weight: 8, arbitrary: scan },
  { weight: 4, arbitrary: band },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unknown' as const), pace, pauses, kind }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('answer' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retry' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('arrive' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hand' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('decide' as const), isCode: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), isSure: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('dialog' as const),
      dialog: fc.constantFrom('none' as const, 'clean' as const, 'dirty' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('row' as const), which, choice: which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('resume' as const),
      which,
      to: fc.constantFrom('patient' as const, 'nowhere' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('click' as const), sheet: fc.constantFrom(null, ...SHEETS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('reload' as const), sheet: fc.constantFrom(null, ...SHEETS) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Return a world whose products have GTINs and short codes, each used once. */
function meanings(): Meanings {
  const products = new Map<string, number>();
  for (let id = 1; id <= PRODUCTS; id++) {
    products.set(gtinOf(id), id);
    products.set(`01${gtinOf(id).padStart(14, '0')}1728013110L${id}`, id);
    products.set(`${7000 + id}`, id);
  }
  return { products, patients: WRISTBANDS };
}

function run(steps: Step[]) {
  const world = new ScanWorld(meanings(), 1);
  /** The patient of the next scan, by the model: null for a list, undefined if only a person can say. */
  let patient: number | null | undefined = 1;
  /** The sheet of each scanned product. */
  const expected = new Map<number, number | null | undefined>();
  const dropped = new Set<number>();
  let next = 0;
  const products = new Map(meanings().products);

  function type(
    code: string,
    every: number,
    breaks: [number, number][],
    kind: 'bar' | 'number' | 'text' | 'none',
    typed = '',
  ) {
    world.focus(kind);
    if (kind !== 'none') world.press(typed, 150);
    if (typed !== '') world.at += 300;
    world.press(code, every, Object.fromEntries(breaks.filter(([place]) => place > 0)));
    return world.enter(every);
  }

  for (const one of steps) {
    switch (one.do) {
      case 'scan': {
        if (next === PRODUCTS) break;
        next += 1;
        const gtin = gtinOf(next);
        const symbol = `01${gtin.padStart(14, '0')}1728013110L${next}`;
        const code = { gtin, symbol, short: `${7000 + next}` }[one.form];
        const verdict = type(code, one.pace, one.pauses, one.kind, one.before);
        // A short code behind typed text is one unknown text; typed into a field, it is that field's.
        if (verdict.is !== 'typed') expected.set(next, patient);
        // What may be the field's own text is asked about, or used by the field.
        if (verdict.is !== 'scan') dropped.add(next);
        break;
      }
      case 'band': {
        const verdict = type(one.code, one.pace, one.pauses, one.kind);
        if (verdict.is !== 'scan') {
          patient = undefined; // a question, whose answer decides
          break;
        }
        const sheets = WRISTBANDS.get(one.code) ?? [];
        patient = sheets.length === 1 ? sheets[0] : undefined;
        break;
      }
      case 'unknown':
        // Its end is the code of a product that nothing else scans.
        type(`ZZ${7000 + PRODUCTS}`, one.pace, one.pauses, one.kind);
        break;
      case 'answer':
        world.answerNext(one.which);
        break;
      case 'fail':
        world.failNext(one.which);
        break;
      case 'retry':
        world.send({ type: 'retried' });
        break;
      case 'arrive':
        world.arrive();
        break;
      case 'wait':
        world.wait();
        break;
      case 'hand':
        if (next === PRODUCTS || world.page === null) break;
        next += 1;
        expected.set(next, patient);
        world.hand(next);
        break;
      case 'decide': {
        const [question] = world.questions.splice(0, 1);
        if (!question) break;
        const { key } = question.entry;
        const entry = world.queue.entries.find((other) => other.key === key);
        if (entry?.doubt !== 'ask') break;
        const product = products.get(entry.code ?? '');
        // A wristband that was asked about leads on from there.
        if (WRISTBANDS.has(entry.code ?? '')) patient = undefined;
        if (!one.isCode && product) dropped.add(product);
        world.send({ type: 'decided', key, isCode: one.isCode });
        break;
      }
      case 'leave':
        if (world.leaving && !one.isSure) patient = world.page;
        world.answerLeaving(one.isSure);
        break;
      case 'dialog':
        if (world.page !== null && !world.leaving) world.setDialog(one.dialog);
        break;
      case 'row': {
        const rows = world.recorder?.rows ?? [];
        const row = rows[one.which % Math.max(rows.length, 1)];
        if (!row) break;
        if (row.kind === 'line') world.record({ type: 'released', key: row.key });
        else if (row.kind === 'wristband') {
          const sheets = row.people.flatMap((person) => person.sheets);
          const chosen = sheets[one.choice % Math.max(sheets.length, 1)];
          patient = undefined;
          world.record(
            chosen && one.choice % 2
              ? { type: 'patientChosen', key: row.key, sheetId: chosen.id }
              : { type: 'removed', key: row.key },
          );
        }
        break;
      }
      case 'resume': {
        const given = world.queue.givenBack[one.which % Math.max(world.queue.givenBack.length, 1)];
        if (!given || (one.to === 'patient' && given.sheetId === null)) break;
        for (const { code, context } of given.entries) {
          const product = code === null ? (context as { product_id: number }).product_id : products.get(code);
          if (product && one.to === 'nowhere') dropped.add(product);
        }
        patient = undefined;
        world.send({ type: 'resumed', key: given.key, to: one.to });
        break;
      }
      case 'click':
        world.click(one.sheet);
        patient = one.sheet;
        break;
      case 'reload':
        world.reload(one.sheet);
        patient = one.sheet;
        break;
    }
  }
  world.flush();
  return { world, expected, dropped, products };
}

/** Return where the product is now: the sheets on which it is recorded, in a row, in the queue, or in drafts. */
function places({ world, products }: ReturnType<typeof run>, product: number) {
  const isOf = (code: string | null, context?: unknown) =>
    code === null
      ? (context as { product_id?: number } | null)?.product_id === product
      : products.get(code) === product ||
        [...products].some(([one, id]) => id === product && code.endsWith(one));
  const recorded = world.recorded.filter((line) => line.product === product).map(({ sheet }) => sheet);
  const { entries, givenBack } = world.queue;
  const queued = [...entries, ...givenBack.flatMap((given) => given.entries)].filter(({ code, context }) =>
    isOf(code, context),
  );
  const keys = queued.map(({ key }) => key);
  const stored = [...world.drafts.values()].flat().filter((row) => {
    if (isStoredScan(row)) return isOf(row.raw, row.by) && !keys.includes(row.key);
    if (row.kind === 'line') return row.values.product_id === product;
    return row.kind === 'unknown' && isOf(row.code);
  });
  const refused = world.refused.filter(({ code, context }) => isOf(code, context));
  const waiting = [
    ...queued.map(({ sheetId }) => sheetId),
    ...refused.flatMap((one) => (one.isOld ? [] : [null])),
  ];
  return { recorded, open: [...keys, ...stored, ...refused], waiting };
}

it('records each pack for the patient whose wristband came before it, once, and loses none', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const result = run(steps);
      for (const [product, sheet] of result.expected) {
        const { recorded, open, waiting } = places(result, product);
        expect(recorded.length, `product ${product} recorded`).toBeLessThanOrEqual(1);
        const [where] = recorded;
        if (where !== undefined && sheet !== undefined)
          expect(where, `patient of product ${product}`).toBe(sheet);
        if (!result.dropped.has(product))
          expect(recorded.length + open.length, `product ${product} somewhere`).toBeGreaterThan(0);
        if (recorded.length > 0) expect(open, `product ${product} twice`).toEqual([]);
        // What is not behind an open question waits for its own patient only.
        if (typeof sheet === 'number' && !result.world.isBlocked)
          for (const place of waiting) expect(place, `sheet of the waiting product ${product}`).toBe(sheet);
      }
      expect(result.world.hasty).toEqual([]);
      expect(result.world.recorded.some(({ product }) => product === PRODUCTS)).toBe(false);
    }),
    { numRuns: RUNS },
  );
});
