import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import { askedPerson, gtinOf, type HandLine, type Meanings, ScanWorld } from '@/test/scanWorld';
import { type Entry, waitingIn } from './queue';
import { isStoredScan } from './storedScans';

/*
 * A model of the queue: each pack belongs to the patient whose wristband came last before it, or whose page was opened.
 *
 * After random sequences of scans, typing, dialogs, pages, late answers, lost networks, reloads and crashes, each pack is
 * exactly once on a line of that patient, in a row or draft of that patient's sheet, or given back by that patient's name.
 */

const WALKS_ALL = process.env.WALK === 'all';
const RUNS = WALKS_ALL ? 100_000 : 2_000;
/** `make test` runs the same sequences each time, `make walk` others. */
const SEED = WALKS_ALL ? undefined : 1;
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
const before = fc.constantFrom('', '', '', '', 'bis', '3', 'AB12', '3*');
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
  { weight: 1, arbitrary: fc.record({ do: fc.constant('area' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stay' as const) }) },
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
      to: fc.constantFrom('patient' as const, 'here' as const, 'nowhere' as const),
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
  { weight: 3, arbitrary: fc.record({ do: fc.constant('commit' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      sheet: fc.constantFrom(null, ...SHEETS),
      committed: fc.nat({ max: 3 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const scanned: Step = { do: 'scan', form: 'gtin', pace: 5, pauses: [], before: '', kind: 'bar' };
const wristband = (code: string): Step => ({ do: 'band', code, pace: 5, pauses: [], kind: 'bar' });
const click = (sheet: number | null): Step => ({ do: 'click', sheet });
const reload = (sheet: number | null): Step => ({ do: 'reload', sheet });
const row = (choice: number): Step => ({ do: 'row', which: 0, choice });
const crash = (sheet: number | null): Step => ({ do: 'crash', sheet, committed: 0 });
const unknown: Step = { do: 'unknown', pace: 5, pauses: [], kind: 'bar' };
const answered: Step = { do: 'answer', which: 0 };
const toPatient: Step = { do: 'resume', which: 0, to: 'patient' };
const arrive: Step = { do: 'arrive' };
const [ONE, TWO, THREE, SEVERAL] = [...WRISTBANDS.keys()] as [string, string, string, string];

/** Rare sequences, each of which an earlier queue got wrong. */
const FOUND: Step[][] = [
  // A wristband from before a reload, with what followed it.
  [wristband(TWO), scanned, reload(1), arrive, answered, reload(null)],
  [wristband(TWO), scanned, reload(1), arrive, answered, answered, row(0)],
  // Several wristbands from before a reload, and a pack after it.
  [reload(null), wristband(ONE), wristband(SEVERAL), reload(null), scanned],
  [
    wristband(TWO),
    answered,
    wristband(ONE),
    { do: 'stay' },
    unknown,
    { do: 'resume', which: 0, to: 'patient' },
  ],
  [crash(null), wristband(ONE), reload(null), scanned, { do: 'crash', sheet: 3, committed: 0 }],
  [wristband(THREE), reload(null), wristband(ONE), scanned, crash(null)],
  [wristband(SEVERAL), answered, wristband(THREE), answered, arrive, { do: 'hand' }, row(0)],
  // A person opens the page of what was given back, while another wristband waits, or its page is being opened.
  [arrive, wristband(TWO), answered, scanned, click(null), wristband(THREE), toPatient, scanned, arrive],
  [
    arrive,
    wristband(TWO),
    answered,
    scanned,
    click(null),
    answered,
    wristband(THREE),
    answered,
    scanned,
    toPatient,
  ],
  // A page that is opened while scans for another one wait.
  [arrive, scanned, { do: 'dialog', dialog: 'clean' }, answered, wristband(TWO), answered, click(3), scanned],
  [crash(null), wristband(TWO), crash(3), answered, click(1), unknown],
  // A page that was opened after a wristband, or the wristband's own page.
  [reload(null), wristband(TWO), click(1), arrive, scanned, answered, answered],
  [reload(null), wristband(THREE), scanned, click(3), arrive],
  // A line entered by hand behind a question about the patient, which was dismissed.
  [arrive, wristband(SEVERAL), { do: 'hand' }, answered, row(0), { do: 'crash', sheet: 1, committed: 0 }],
  [wristband(THREE), answered, wristband(ONE), answered, click(3), scanned],
  [wristband(TWO), click(1), arrive, scanned, click(null)],
  [wristband(THREE), answered, click(null), scanned],
  // A question about a wristband: it stays after a reload, and its answer moves only what followed it.
  [wristband(SEVERAL), answered, scanned, reload(1), arrive, answered, answered],
  [wristband(SEVERAL), reload(1), arrive, scanned, answered, row(1)],
  [scanned, reload(null), wristband(ONE), wristband(SEVERAL), answered, arrive, arrive, answered],
  // The page is ready only while it asks whether to leave it.
  [wristband(TWO), { do: 'dialog', dialog: 'dirty' }, answered, arrive, scanned],
  // The area of the page on which a line is entered.
  [arrive, wristband(TWO), { do: 'hand' }],
  [arrive, wristband(TWO), { do: 'hand' }, answered, reload(2), arrive, row(0)],
  [arrive, { do: 'area' }, scanned],
  // A crash after a line was recorded, before or after the device has committed its entry.
  [arrive, scanned, answered, { do: 'wait' }, { do: 'crash', sheet: 1, committed: 0 }],
  [arrive, scanned, answered, { do: 'wait' }, { do: 'crash', sheet: 1, committed: 1 }],
];

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

/** To whom packs belong: a wristband's patient, or the page that was opened. */
interface Owner {
  /** The sheets of the wristband, or the page's only one. */
  sheets: (number | null)[];
  /** The wristband's entry. */
  key?: string;
  /** Whether a person has to say that the text is a wristband, and to whom the packs belong if it is none. */
  isAsked?: boolean;
  before?: Owner;
}

interface Expected {
  owner: Owner;
  code: string | null;
  /** Whether something was typed before the code, which may have become a part of it. */
  isJoined: boolean;
  quantity: number | undefined;
  /** The area on its own page; undefined if it was scanned elsewhere. */
  area: number | undefined;
}

/** What is somewhere in an open question, so that only a person can say to whom it belongs. */
const OPEN = undefined;
type Place = number | null | typeof OPEN;

function run(steps: Step[]) {
  const world = new ScanWorld(meanings(), 1);
  let patient: Owner = { sheets: [1] };
  const owners = new Map<string, Owner>();
  const expected = new Map<number, Expected>();
  const dropped = new Set<number>();
  const products = new Map(meanings().products);
  let next = 0;
  let unknown = PRODUCTS;

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

  function expectPack(product: number, part: Pick<Expected, 'code' | 'isJoined' | 'quantity'>) {
    const { going } = world.queue;
    // A wristband from before a reload is opening its page.
    const owner = going && !patient.key ? { sheets: [going.sheetId] } : patient;
    const isHere = world.isReady && placeOf(owner, world) === world.page && !hasBand(world.queue.entries);
    expected.set(product, { owner, area: isHere ? world.area : undefined, ...part });
  }

  /** Let entries belong to a sheet, up to the next wristband among them. */
  function assign(entries: Entry[], sheet: number | null): Owner {
    let owner: Owner = { sheets: [sheet] };
    for (const { key, code, context } of entries) {
      const band = owners.get(key);
      if (band) {
        if (band.isAsked) band.before = owner;
        owner = band;
      } else {
        const product = productOf(products, code, context);
        const one = product === undefined ? undefined : expected.get(product);
        if (product !== undefined && one) expected.set(product, { ...one, owner, area: undefined });
      }
    }
    return owner;
  }

  /** Return to whom the next pack belongs if the page stays: perhaps behind an earlier wristband. */
  function onPage(): Owner {
    const { question } = world;
    const { entries, visit } = world.queue;
    const asked = question && 'scan' in question && question.scan.visit === visit ? [question] : [];
    const bands = [...asked, ...entries.filter((entry) => entry.visit === visit)];
    return bands.reduce((last, { key }) => owners.get(key) ?? last, { sheets: [world.page] } as Owner);
  }

  for (const one of steps) {
    switch (one.do) {
      case 'scan': {
        if (next === PRODUCTS) break;
        next += 1;
        const gtin = gtinOf(next);
        const symbol = `01${gtin.padStart(14, '0')}1728013110L${next}`;
        const code = { gtin, symbol, short: `${7000 + next}` }[one.form];
        const typed = one.kind === 'none' ? '' : one.before;
        const { is } = type(code, one.pace, one.pauses, one.kind, typed);
        // Typed into a field, a text is that field's.
        if (is === 'typed') break;
        const quantity = typed === '' ? 1 : typed === '3*' && one.kind === 'bar' ? 3 : undefined;
        expectPack(next, { code, isJoined: typed !== '', quantity });
        // After a question, the page's area of that moment counts.
        if (is !== 'scan') expected.set(next, { ...(expected.get(next) as Expected), area: undefined });
        break;
      }
      case 'band': {
        const { is } = type(one.code, one.pace, one.pauses, one.kind);
        if (is === 'typed') break;
        const sheets = WRISTBANDS.get(one.code) ?? [];
        patient = { key: world.latest, sheets, before: patient, isAsked: is !== 'scan' };
        owners.set(world.latest, patient);
        break;
      }
      case 'unknown': {
        unknown += 1;
        // Its end is the code of a product that nothing else scans.
        const code = `Z${unknown}Z${7000 + PRODUCTS}`;
        const { is } = type(code, one.pace, one.pauses, one.kind);
        products.set(code, unknown);
        if (is !== 'typed') expectPack(unknown, { code, isJoined: false, quantity: undefined });
        break;
      }
      case 'answer':
        world.answerNext(one.which);
        break;
      case 'fail':
        world.failNext(one.which);
        break;
      case 'retry':
        world.send({ type: 'retried' });
        break;
      case 'arrive': {
        const isGoing = world.queue.going !== null;
        const isOpened = world.opening !== null;
        world.arrive();
        if (isOpened && !(isGoing && patient.key)) patient = { sheets: [world.page] };
        break;
      }
      case 'stay': {
        const { going } = world.queue;
        if (!going || world.leaving) break;
        world.send({ type: 'stayed' });
        patient = onPage();
        break;
      }
      case 'wait':
        world.wait();
        break;
      case 'area':
        world.area += 1;
        break;
      case 'hand':
        if (next === PRODUCTS || world.page === null) break;
        next += 1;
        expectPack(next, { code: null, isJoined: false, quantity: 1 });
        world.hand(next);
        break;
      case 'decide': {
        const [question] = world.questions.splice(0, 1);
        if (!question) break;
        const { key } = question.entry;
        const entry = world.queue.entries.find((other) => other.key === key);
        if (entry?.doubt !== 'ask') break;
        const band = owners.get(key);
        if (band && one.isCode) band.isAsked = false;
        world.decide(key, one.isCode);
        break;
      }
      case 'leave':
        if (world.leaving && !one.isSure) patient = onPage();
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
          const band = owners.get(row.key);
          if (chosen && one.choice % 2) {
            if (band) band.sheets = [chosen.id];
            if (band && chosen.id !== world.page) {
              const isNow = row.scan.visit === world.queue.visit;
              patient = isNow ? onPage() : { sheets: [chosen.id] };
            }
            world.record({ type: 'patientChosen', key: row.key, sheetId: chosen.id });
          } else {
            world.record({ type: 'removed', key: row.key });
            if (askedPerson(row)) patient = onPage();
          }
        }
        break;
      }
      case 'resume': {
        if (world.leaving) break;
        const given = world.queue.givenBack[one.which % Math.max(world.queue.givenBack.length, 1)];
        const to = given && { patient: given.sheetId, here: world.page, nowhere: 0 }[one.to];
        if (!given || to === null || to === undefined) break;
        if (one.to === 'nowhere') {
          for (const { code, context } of given.entries) {
            const product = productOf(products, code, context);
            if (product !== undefined) dropped.add(product);
          }
        } else {
          assign(given.entries, to);
          if (one.to === 'patient' && to !== world.page) patient = { sheets: [to] };
        }
        world.send({ type: 'resumed', key: given.key, to: one.to, visit: newIdempotencyKey() });
        break;
      }
      case 'click': {
        // A click on the sheet that a wristband is opening is its arrival: later wristbands go on.
        const isArrival = world.queue.going?.sheetId === one.sheet;
        const isList = world.page === null && one.sheet === null;
        world.click(one.sheet);
        if (isList) patient = onPage();
        else if (!isArrival || !patient.key) patient = { sheets: [one.sheet] };
        break;
      }
      case 'commit':
        world.commit();
        break;
      case 'reload':
      case 'crash':
        world.reload(one.sheet, one.do === 'crash' ? one.committed : undefined);
        patient = { sheets: [one.sheet] };
        break;
    }
  }
  world.flush();
  return { world, expected, dropped, products };
}

/** Return the product of a code or a line, also if text was typed before its code. */
function productOf(products: Map<string, number>, code: string | null, context: unknown) {
  if (code === null) return (context as HandLine).values.product_id ?? undefined;
  return products.get(code) ?? [...products].find(([one]) => code.endsWith(one))?.[1];
}

const hasBand = (entries: Entry[]) => entries.some(({ code }) => WRISTBANDS.has(code ?? ''));

function placeOf(owner: Owner, world: ScanWorld): Place {
  const { key, sheets, isAsked, before: former } = owner;
  if (former && key && world.typed.some((entry) => entry.key === key)) return placeOf(former, world);
  const [only] = sheets;
  // After a reload, it is not asked about: it is a wristband.
  const isOpen = isAsked && waitingIn(world.queue).some((entry) => entry.key === key && entry.doubt);
  return isOpen || sheets.length !== 1 ? OPEN : only;
}

type Waiting = Pick<Entry, 'key' | 'code' | 'context'> & Partial<Entry>;

/** Return where each of the entries will be used: on its sheet, or where the wristbands before it lead. */
function used(entries: Waiting[], sheet: (entry: Waiting) => Place): [Waiting, Place][] {
  let band: { to: Place } | null = null;
  let visit: string | undefined;
  return entries.map((entry) => {
    const sheets = WRISTBANDS.get(entry.code ?? '');
    if (entry.visit !== visit) band = null;
    ({ visit } = entry);
    if (sheets) band = { to: sheets.length === 1 && !entry.doubt ? sheets[0] : OPEN };
    return [entry, band ? (band as { to: Place }).to : sheet(entry)];
  });
}

/** Return the patients for whom the pack is waiting: in the queue, given back, in rows and drafts, or refused. */
function waitingFor({ world, products }: ReturnType<typeof run>, product: number, one: Expected): Place[] {
  const isOf = (code: string | null, context?: unknown) =>
    code === null || one.isJoined
      ? productOf(products, code, context) === product
      : code === one.code || code.replace(/^\(01\) /, '') === one.code;
  const { entries, givenBack } = world.queue;
  const queued = new Set(waitingIn(world.queue).map(({ key }) => key));
  const { question } = world;
  const asked = question && 'scan' in question ? question.scan.visit : undefined;
  const lists = [
    used(entries, ({ sheetId, visit }) =>
      visit === asked && sheetId === world.page && !world.queue.going ? OPEN : sheetId,
    ),
    ...givenBack.map((given) => used(given.entries, () => given.sheetId ?? OPEN)),
    ...[...world.drafts].map(([sheet, rows]) => {
      const scans = rows
        .filter(isStoredScan)
        .map(({ key, raw, by, visit }) => ({ key, code: raw, context: by, visit }));
      return used(scans, () => sheet || null).filter(([{ key }]) => !queued.has(key));
    }),
    world.refused.map((entry): [Waiting, Place] => [entry, null]),
  ];
  const waiting = lists.flat().filter(([{ code, context }]) => isOf(code, context));
  const rows = [...world.drafts].flatMap(([sheet, stored]) =>
    stored.flatMap((row) => {
      const isIt =
        row.kind === 'line' ? row.values.product_id === product : row.kind === 'unknown' && isOf(row.code);
      return isIt ? [sheet] : [];
    }),
  );
  return [...waiting.map(([, place]) => place), ...rows];
}

it('has each pack once, for the patient whose wristband came before it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const result = run(steps);
      const { world } = result;
      for (const [product, one] of result.expected) {
        const lines = [...world.entries.values()].filter((line) => line.product === product);
        const waiting = waitingFor(result, product, one);
        const isTyped = world.typed.some(
          ({ code, context }) => productOf(result.products, code, context) === product,
        );
        const count = lines.length + waiting.length + (isTyped ? 1 : 0);
        expect(count, `places of product ${product}`).toBe(result.dropped.has(product) ? 0 : 1);
        const sheet = placeOf(one.owner, world);
        // Without a sheet, a sentence refuses it.
        for (const place of waiting.filter((found) => found !== null || sheet !== OPEN))
          expect(place, `sheet of the waiting product ${product}`).toBe(sheet);
        for (const line of lines) {
          expect(line.sheet, `sheet of product ${product}`).toBe(sheet);
          expect(line.quantity, `quantity of product ${product}`).toBe(one.quantity ?? line.quantity);
          if (one.area !== undefined) expect(line.area, `area of product ${product}`).toBe(one.area);
          expect(Math.floor((line.area ?? 0) / 10), `sheet of the area of ${product}`).toBe(sheet);
        }
      }
      expect(world.hasty).toEqual([]);
      expect([...world.entries.values()].some(({ product }) => product >= PRODUCTS)).toBe(false);
    }),
    { numRuns: RUNS, seed: SEED, examples: FOUND.map((steps) => [steps]) },
  );
});
