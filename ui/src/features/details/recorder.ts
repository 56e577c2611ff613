import type { NotedCodeView, PersonView, ProductLookupView, ReadingView } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { type DetailValues, EMPTY_SCAN, type ScanNote } from '@/outbox/outboxSlice';
import { filledIn, hasPackData, NO_PACK, type Pack, type Part } from '@/scan/pack';
import type { Signal } from '@/scan/signals';
import { type Person, sheetsOf } from '@/scan/wristbands';

/*
 * The state of scans and manual entries until they are recorded, as a pure reducer.
 *
 * Each scan adds a row at once; the lookups' answers are applied in the order of the scans. A line without a question is
 * recorded by the next code, after a short delay, or when the page is left. A line with a question waits for a person.
 */

export type Match = ProductLookupView['matches'][number];
/** As whom, where and when something was used. */
export interface Recorder {
  staff_id: number | null;
  staff: PersonView | null;
  area_id: number | null;
  used_at: string | null;
}

/** A scanned symbol with its content. */
export interface Scan {
  raw: string;
  reading: ReadingView | null;
  told: Pick<ScanNote, 'recall' | 'serialUsed'>;
}

export type Remark = 'sameSerial' | 'sameProduct' | 'expiryUnreadable' | 'incomplete';

/** A line that is not recorded yet. */
export interface LineRow {
  kind: 'line';
  key: string;
  values: DetailValues;
  /** Whether a scan of the same code adds to it and the delay records it; otherwise it waits for a person. */
  isFresh: boolean;
  /** Whether its quantity is a guess: chosen by hand, and the next scan came before a quantity. */
  isAssumed: boolean;
  remark: Remark | null;
  /** The number of changes; each one restarts the delay. */
  changes: number;
}

interface LookingRow {
  kind: 'looking';
  key: string;
  raw: string;
  times: Decimal | undefined;
  by: Recorder;
  answer: ProductLookupView | null;
  /** Whether the lookup got no answer. */
  isFailed: boolean;
  /** Whether it was scanned before a reload: then nothing is recorded automatically. */
  isOld: boolean;
}

export type Row =
  | LineRow
  | LookingRow
  /** Lot, expiry or serial number, scanned before their product. */
  | { kind: 'pack'; key: string; scan: Scan; by: Recorder }
  /** A person has to choose: one of several products, or product or patient. */
  | {
      kind: 'choice';
      key: string;
      about: 'several' | 'keyboard' | 'clash';
      scan: Scan;
      matches: Match[];
      people: Person[];
      times: Decimal | undefined;
      by: Recorder;
    }
  /** Digits that may be the line's lot or the number of a wristband. */
  | { kind: 'bare'; key: string; scan: Scan; lineKey: string | null; by: Recorder }
  /** A symbol that contradicts the line's pack data. */
  | { kind: 'differs'; key: string; scan: Scan; parts: Part[]; lineKey: string; by: Recorder }
  | {
      kind: 'unknown';
      key: string;
      code: string;
      /** Its pack data is used for the product that is chosen. */
      scan: Scan;
      noted: NotedCodeView | null;
      readAs: string | null;
    }
  | { kind: 'inactive'; key: string; product: string }
  /** An unlisted item being sent to the sheet; the key makes retries idempotent. */
  | { kind: 'note'; key: string; description: string; quantity: number; by: Recorder; isFailed: boolean }
  /** A wristband of this patient, of one with several open sheets, or of one without any. */
  | { kind: 'wristband'; key: string; people: Person[] };

export interface RecorderState {
  sheetId: number;
  /** The oldest first. */
  rows: Row[];
}

export type RecorderEvent =
  | { type: 'scanned'; key: string; raw: string; times?: Decimal; by: Recorder }
  | { type: 'lookedUp'; key: string; answer: ProductLookupView }
  | { type: 'lookupFailed'; key: string }
  | { type: 'retried' }
  /** Entered by hand and confirmed with Enter. */
  | { type: 'entered'; key: string; values: DetailValues }
  /** Entered by hand, but a scan came before Enter. */
  | { type: 'putAside'; key: string; values: DetailValues; isAssumed: boolean }
  | { type: 'quantitySet'; key: string; quantity: Decimal }
  | { type: 'packSet'; key: string; part: Part; value: string | null }
  | { type: 'rechecked'; key: string; pack: Pack; told: Scan['told'] }
  | { type: 'confirmed'; key: string }
  /** Record the line and acknowledge its questions. */
  | { type: 'released'; key: string }
  | { type: 'removed'; key: string }
  /** An unlisted item was noted; later its request succeeds or fails. */
  | { type: 'noted'; key: string; description: string; quantity: number; by: Recorder }
  | { type: 'noteArrived'; key: string }
  | { type: 'noteFailed'; key: string }
  | { type: 'matchChosen'; key: string; match: Match }
  | { type: 'patientChosen'; key: string; sheetId: number }
  | { type: 'bareTaken'; key: string }
  /** The new symbol's pack data is right and replaces the line's. */
  | { type: 'lineCorrected'; key: string }
  | { type: 'anotherPack'; key: string }
  | { type: 'delayElapsed'; key: string; changes: number }
  /** The page was left, the screen locked or the session ended. */
  | { type: 'left' }
  | { type: 'restored'; rows: Row[] };

export type Effect =
  | { do: 'lookUp'; key: string; raw: string }
  | { do: 'recheck'; key: string; values: DetailValues }
  | { do: 'record'; values: DetailValues }
  | { do: 'note'; row: Extract<Row, { kind: 'note' }> }
  | { do: 'signal'; signal: Signal }
  | { do: 'focus'; key: string; part: Part }
  /** `scans` followed the wristband, so they belong to the other patient. */
  | { do: 'openSheet'; sheetId: number; person: Person; scans: string[] };

export const MAX_QUANTITY = 9_999.999;

export const isValidQuantity = (quantity: Decimal): quantity is number =>
  typeof quantity === 'number' &&
  quantity >= 0 &&
  quantity <= MAX_QUANTITY &&
  Number.isInteger(Number((quantity * 1000).toFixed(6)));

/**
 * Return the open questions about a line.
 *
 * The server checks again when the line is recorded.
 */
export function getQuestions(values: DetailValues, today: string): string[] {
  const { product, scanned, expiry, lot, serial, asked } = values;
  const codes = new Set<string>();
  if (expiry && expiry < today) codes.add('lot.expired');
  if (scanned?.recall) codes.add('lot.recalled');
  if (scanned?.serialUsed && serial) codes.add('serial.used');
  if (product?.asks_lot && !lot) codes.add('lot.required');
  if (product?.asks_serial && !serial) codes.add('serial.required');
  for (const { code } of asked) codes.add(code);
  return [...codes].filter((code) => !values.acknowledged.includes(code));
}

/** Return whether the line can be recorded without a person's decision. */
export const isClear = ({ values, isAssumed }: LineRow, today: string) =>
  !isAssumed &&
  canBeRecorded(values) &&
  (values.quantity !== 0 || !values.scanned) &&
  getQuestions(values, today).length === 0;

/**
 * Return whether the line is complete and valid.
 *
 * Open questions are ignored.
 */
export const canBeRecorded = ({ quantity, serial, scanned, product }: DetailValues) =>
  product !== null && isValidQuantity(quantity) && (!serial || quantity === 1) && !scanned?.unconfirmed;

export const freshLine = ({ rows }: RecorderState) =>
  rows.find((row): row is LineRow => row.kind === 'line' && row.isFresh);

/** Return the rows that wait for a person and are not recorded automatically. */
export function openRows(state: RecorderState, today: string): Row[] {
  const fresh = freshLine(state);
  return state.rows.filter((row) => row !== fresh || !isClear(fresh, today));
}

export const packOf = (reading: ReadingView | null): Pack =>
  reading ? { lot: reading.lot, expiry: reading.expiry, serial: reading.serial } : NO_PACK;

/**
 * Return the next state and the side effects.
 *
 * `today` is the hospital's day.
 */
export function reduceRecorder(
  state: RecorderState,
  event: RecorderEvent,
  today: string,
): { state: RecorderState; effects: Effect[] } {
  const step = new Step(state, today);
  step.take(event);
  step.settle();
  return { state: { ...state, rows: step.rows }, effects: step.effects };
}

/** One run of the reducer. Rows are replaced, never mutated. */
class Step {
  rows: Row[];
  effects: Effect[] = [];
  readonly sheetId: number;
  readonly today: string;

  constructor({ rows, sheetId }: RecorderState, today: string) {
    this.rows = rows;
    this.sheetId = sheetId;
    this.today = today;
  }

  take(event: RecorderEvent) {
    switch (event.type) {
      case 'scanned': {
        const { key, raw, times, by } = event;
        this.#add({ kind: 'looking', key, raw, times, by, answer: null, isFailed: false, isOld: false });
        // While a lookup is failed, later scans wait for the retry too.
        if (!this.rows.some((row) => row.kind === 'looking' && row.isFailed))
          this.#do({ do: 'lookUp', key, raw });
        else this.#change(key, { isFailed: true });
        return;
      }
      case 'lookedUp':
        return this.#change(event.key, { answer: event.answer, isFailed: false });
      case 'lookupFailed':
        return this.#change(event.key, { isFailed: true });
      case 'noted': {
        const { key, description, quantity, by } = event;
        return this.#note({ kind: 'note', key, description, quantity, by, isFailed: false });
      }
      case 'noteArrived':
        this.#signal('taken');
        return this.#remove(event.key);
      case 'noteFailed': {
        const row = this.#row(event.key);
        if (row?.kind === 'note') this.#replace({ ...row, isFailed: true });
        return;
      }
      case 'retried':
        for (const row of this.rows) {
          if (row.kind === 'note' && row.isFailed) this.#sendNote(row);
          if (row.kind !== 'looking' || !row.isFailed) continue;
          this.#change(row.key, { isFailed: false });
          this.#do({ do: 'lookUp', key: row.key, raw: row.raw });
        }
        return;
      case 'entered':
        return this.#enter(event.key, event.values);
      case 'putAside':
        this.#leaveFresh();
        return this.#addLine(event.key, event.values, event.isAssumed);
      case 'quantitySet':
        if (event.quantity === 0) return this.#remove(event.key);
        return this.#changeLine(event.key, ({ values }) => ({
          values: { ...values, quantity: event.quantity, asked: [] },
          isAssumed: false,
        }));
      case 'packSet':
        return this.#setPack(event.key, { [event.part]: event.value });
      case 'rechecked':
        return this.#noteTold(event.key, event.pack, event.told);
      case 'confirmed':
        return this.#changeLine(event.key, ({ values }) => ({
          values: { ...values, scanned: values.scanned && { ...values.scanned, unconfirmed: false } },
        }));
      case 'released':
        return this.#release(event.key);
      case 'removed':
        return this.#remove(event.key);
      case 'matchChosen':
        return this.#chooseMatch(event.key, event.match);
      case 'patientChosen':
        return this.#choosePatient(event.key, event.sheetId);
      case 'bareTaken':
        return this.#takeBare(event.key);
      case 'lineCorrected':
        return this.#correctLine(event.key);
      case 'anotherPack':
        return this.#beginAnotherPack(event.key);
      case 'delayElapsed': {
        const row = this.#row(event.key);
        if (row?.kind === 'line' && row.isFresh && row.changes === event.changes && isClear(row, this.today))
          this.#record(row);
        return;
      }
      case 'left':
        return this.#leaveFresh();
      case 'restored': {
        // Rows that are here already are not old: the page has stored them itself.
        const known = new Set(this.rows.map(({ key }) => key));
        const old = event.rows.filter(({ key }) => !known.has(key));
        this.rows = [...old.map(asRestored), ...this.rows];
        for (const row of old) if (row.kind === 'note') this.#sendNote(row);
        for (const row of this.rows)
          if (row.kind === 'looking' && !row.answer) this.#do({ do: 'lookUp', key: row.key, raw: row.raw });
      }
    }
  }

  /** Apply the lookups' answers in the order of the scans. */
  settle() {
    for (;;) {
      const first = this.rows.find((row): row is LookingRow => row.kind === 'looking');
      if (!first?.answer) return;
      this.#remove(first.key);
      this.#apply(first, first.answer);
    }
  }

  // --- handling of scans ---

  #apply(row: LookingRow, answer: ProductLookupView) {
    const { key, raw, times, by } = row;
    const { matches, reading, recall, serial_used, noted, read_as, people } = answer;
    const scan: Scan = { raw, reading, told: { recall: recall?.reason ?? null, serialUsed: serial_used } };
    const [match] = matches;
    if (people.length > 0) {
      if (match) return this.#ask({ kind: 'choice', key, about: 'clash', scan, matches, people, times, by });
      return this.#meetPatient(key, people);
    }
    const isPack = !match && reading !== null && !reading.gtin && hasPackData(packOf(reading));
    if (isPack) return this.#takePack(key, scan, by);
    if (!match) {
      const code = reading?.gtin ? `(01) ${reading.gtin}` : (noted?.code ?? printable(raw));
      this.#add({ kind: 'unknown', key, code, scan, noted, readAs: read_as ?? null });
      return this.#signal('refused');
    }
    if (read_as)
      return this.#ask({ kind: 'choice', key, about: 'keyboard', scan, matches, people, times, by });
    if (matches.length > 1)
      return this.#ask({ kind: 'choice', key, about: 'several', scan, matches, people, times, by });
    if (!match.product.active) {
      this.#add({ kind: 'inactive', key, product: match.product.name });
      return this.#signal('refused');
    }
    this.#takeProduct(key, match, scan, times, by);
    if (row.isOld) this.#holdFresh();
  }

  /** Add to the fresh line, complete its pack data, or begin another line. */
  #takeProduct(key: string, match: Match, scan: Scan, times: Decimal | undefined, by: Recorder) {
    const fresh = freshLine({ rows: this.rows, sheetId: this.sheetId });
    if (fresh?.values.product?.id !== match.product.id || !fresh)
      return this.#begin(key, match, scan, times, by);
    const { values } = fresh;
    const read = packOf(scan.reading);
    const { pack, filled, differs } = filledIn(values, read);
    const isUnit = Boolean(read.serial) && !values.serial && values.quantity !== 1 && !fresh.isAssumed;
    if (differs.length > 0 || isUnit) return this.#begin(key, match, scan, times, by);
    const each = times ?? quantityOf(match, scan);
    let { quantity } = values;
    let remark: Remark | null = null;
    if (!values.scanned) quantity = times ?? values.quantity;
    else if (read.serial && read.serial === values.serial && !filled) remark = 'sameSerial';
    else if (
      !filled &&
      scan.raw === values.scanned.raw &&
      typeof each === 'number' &&
      typeof quantity === 'number'
    )
      quantity = round(quantity + each);
    else if (!filled) remark = 'sameProduct';
    this.#changeLine(fresh.key, () => ({
      values: {
        ...values,
        ...pack,
        quantity,
        gtin: values.gtin ?? scan.reading?.gtin ?? null,
        asked: filled ? [] : values.asked,
        acknowledged: filled ? [] : values.acknowledged,
        scanned: noteOf(match, scan, values.scanned),
      },
      isAssumed: false,
      remark: remark ?? remarkOf(scan),
    }));
    this.#afterTaking(fresh.key, scan);
  }

  #begin(
    key: string,
    match: Pick<Match, 'units' | 'label'> & { product: NonNullable<DetailValues['product']> },
    scan: Scan,
    times: Decimal | undefined,
    by: Recorder,
  ) {
    this.#leaveFresh();
    // Pack data scanned before the product belongs to this pack, unless this symbol contradicts it.
    const loose = this.rows.find((row) => row.kind === 'pack');
    if (loose) this.#remove(loose.key);
    const read = packOf(scan.reading);
    const { pack, differs } = filledIn(read, packOf(loose?.kind === 'pack' ? loose.scan.reading : null));
    this.#add({
      kind: 'line',
      key,
      values: {
        ...EMPTY_SCAN,
        ...by,
        corrects: null,
        product_id: match.product.id,
        product: match.product,
        quantity: times ?? quantityOf(match, scan),
        ...(differs.length > 0 ? read : pack),
        gtin: scan.reading?.gtin ?? null,
        scanned: noteOf(match, scan, null),
      },
      isFresh: true,
      isAssumed: false,
      remark: remarkOf(scan),
      changes: 0,
    });
    this.#afterTaking(key, scan);
  }

  #afterTaking(key: string, { reading }: Scan) {
    const row = this.#row(key);
    if (row?.kind !== 'line') return;
    const { values } = row;
    const read = packOf(reading);
    const isWhole = values.lot === read.lot && values.serial === read.serial && (!reading || reading.gtin);
    // If the line has more pack data than this symbol, the server must check it again.
    if (!isWhole) this.#do({ do: 'recheck', key, values });
    this.#signal(isClear(row, this.today) ? 'taken' : 'asked');
    if (values.scanned?.unconfirmed) this.#do({ do: 'focus', key, part: 'lot' });
  }

  /** Handle a symbol of the label that names no product. */
  #takePack(key: string, scan: Scan, by: Recorder) {
    const line = this.rows.findLast((row): row is LineRow => row.kind === 'line');
    if (scan.reading?.bare) return this.#ask({ kind: 'bare', key, scan, lineKey: line?.key ?? null, by });
    if (line) return this.#fillIn(key, line, scan, by);
    for (const row of this.rows.filter(({ kind }) => kind === 'pack')) this.#remove(row.key);
    this.#add({ kind: 'pack', key, scan, by });
    this.#signal('taken');
  }

  #fillIn(key: string, line: LineRow, scan: Scan, by: Recorder) {
    const { values } = line;
    const { pack, differs } = filledIn(values, packOf(scan.reading));
    if (differs.length > 0)
      return this.#ask({ kind: 'differs', key, scan, parts: differs, lineKey: line.key, by });
    const unconfirmed = scan.reading?.separator_lost ?? false;
    const scanned = values.scanned ?? { ...noteOf(null, scan, null), raw: '' };
    this.#changeLine(line.key, () => ({
      values: {
        ...values,
        ...pack,
        asked: [],
        acknowledged: [],
        scanned: { ...scanned, unconfirmed: scanned.unconfirmed || unconfirmed },
      },
      remark: remarkOf(scan),
    }));
    this.#afterTaking(line.key, scan);
  }

  #meetPatient(key: string, people: Person[]) {
    const sheets = sheetsOf(people);
    const [only] = sheets;
    if (sheets.length === 1 && only && only.id !== this.sheetId) return this.#openSheet(only.id, only.person);
    this.#leaveFresh();
    this.#add({ kind: 'wristband', key, people });
    this.#signal(sheets.some(({ id }) => id === this.sheetId) ? 'taken' : 'asked');
  }

  #openSheet(sheetId: number, person: Person) {
    this.#leaveFresh();
    const later = this.rows.filter((row): row is LookingRow => row.kind === 'looking');
    for (const { key } of later) this.#remove(key);
    this.#do({ do: 'openSheet', sheetId, person, scans: later.map(({ raw }) => raw) });
    this.#signal('otherPatient');
  }

  // --- answers of the user ---

  #enter(key: string, values: DetailValues) {
    this.#leaveFresh();
    this.#addLine(key, values, false);
    const row = this.#row(key);
    if (row?.kind !== 'line') return;
    if (isClear(row, this.today)) return this.#record(row);
    const questions = getQuestions(values, this.today);
    this.#signal('asked');
    if (questions.includes('lot.required')) this.#do({ do: 'focus', key, part: 'lot' });
    else if (questions.includes('serial.required')) this.#do({ do: 'focus', key, part: 'serial' });
  }

  #release(key: string) {
    const row = this.#row(key);
    if (row?.kind !== 'line' || !canBeRecorded(row.values)) return;
    const { values } = row;
    const acknowledged = [...new Set([...values.acknowledged, ...getQuestions(values, this.today)])];
    this.#record({ ...row, values: { ...values, acknowledged } });
  }

  #setPack(key: string, change: Partial<Pack>) {
    const row = this.#row(key);
    if (row?.kind !== 'line') return;
    const values = { ...row.values, ...change, asked: [], acknowledged: [] };
    this.#changeLine(key, () => ({ values }));
    this.#do({ do: 'recheck', key, values });
  }

  #noteTold(key: string, pack: Pack, told: Scan['told']) {
    const row = this.#row(key);
    if (row?.kind !== 'line' || row.values.lot !== pack.lot || row.values.serial !== pack.serial) return;
    const { values } = row;
    if (!values.scanned && !told.recall && !told.serialUsed) return;
    const scanned = values.scanned ?? noteOf(null, { raw: '', reading: null, told }, null);
    const wasClear = isClear(row, this.today);
    this.#replace({ ...row, values: { ...values, scanned: { ...scanned, ...told } } });
    const now = this.#row(key);
    if (wasClear && now?.kind === 'line' && !isClear(now, this.today)) this.#signal('asked');
  }

  #chooseMatch(key: string, match: Match) {
    const row = this.#row(key);
    if (row?.kind !== 'choice') return;
    this.#remove(key);
    this.#takeProduct(key, match, row.scan, row.times, row.by);
  }

  #choosePatient(key: string, sheetId: number) {
    const row = this.#row(key);
    if (row?.kind !== 'choice' && row?.kind !== 'wristband') return;
    const person = row.people.find(({ sheets }) => sheets.some(({ id }) => id === sheetId));
    this.#remove(key);
    if (person && sheetId !== this.sheetId) this.#openSheet(sheetId, person);
  }

  #takeBare(key: string) {
    const row = this.#row(key);
    if (row?.kind !== 'bare') return;
    this.#remove(key);
    const line = row.lineKey === null ? undefined : this.#row(row.lineKey);
    const reading = row.scan.reading && { ...row.scan.reading, bare: false };
    const scan = { ...row.scan, reading };
    if (line?.kind === 'line') this.#fillIn(key, line, scan, row.by);
    else this.#add({ kind: 'pack', key, scan, by: row.by });
  }

  #correctLine(key: string) {
    const row = this.#row(key);
    const line = row?.kind === 'differs' ? this.#row(row.lineKey) : undefined;
    this.#remove(key);
    if (row?.kind !== 'differs' || line?.kind !== 'line') return;
    const read = packOf(row.scan.reading);
    const { lot, expiry, serial } = line.values;
    this.#setPack(line.key, {
      lot: read.lot ?? lot,
      expiry: read.expiry ?? expiry,
      serial: read.serial ?? serial,
    });
  }

  #beginAnotherPack(key: string) {
    const row = this.#row(key);
    const line = row?.kind === 'differs' ? this.#row(row.lineKey) : undefined;
    this.#remove(key);
    if (row?.kind !== 'differs' || line?.kind !== 'line' || !line.values.product) return;
    this.#begin(key, { product: line.values.product, units: 1, label: null }, row.scan, undefined, row.by);
  }

  // --- rows ---

  /**
   * Record the fresh line, or leave it for the person.
   *
   * It is recorded if no question is open.
   */
  #leaveFresh() {
    const fresh = freshLine({ rows: this.rows, sheetId: this.sheetId });
    if (!fresh) return;
    if (isClear(fresh, this.today)) this.#record(fresh);
    else this.#replace({ ...fresh, isFresh: false });
  }

  #holdFresh() {
    const fresh = freshLine({ rows: this.rows, sheetId: this.sheetId });
    if (fresh) this.#replace({ ...fresh, isFresh: false });
  }

  #record({ key, values }: LineRow) {
    this.#remove(key);
    this.#do({ do: 'record', values });
  }

  #addLine(key: string, values: DetailValues, isAssumed: boolean) {
    this.#add({ kind: 'line', key, values, isFresh: true, isAssumed, remark: null, changes: 0 });
  }

  #note(row: Extract<Row, { kind: 'note' }>) {
    this.#add(row);
    this.#do({ do: 'note', row });
  }

  #sendNote(row: Extract<Row, { kind: 'note' }>) {
    const again = { ...row, isFailed: false };
    this.#replace(again);
    this.#do({ do: 'note', row: again });
  }

  #ask(row: Row) {
    this.#add(row);
    this.#signal('asked');
  }

  #row = (key: string) => this.rows.find((row) => row.key === key);

  #add(row: Row) {
    // Before pending lookups, which were scanned later.
    const place = this.rows.findIndex(({ kind }) => kind === 'looking');
    const at = row.kind === 'looking' || place < 0 ? this.rows.length : place;
    this.rows = this.rows.toSpliced(at, 0, row);
  }

  #remove(key: string) {
    this.rows = this.rows.filter((row) => row.key !== key);
  }

  #replace(changed: Row) {
    this.rows = this.rows.map((row) => (row.key === changed.key ? changed : row));
  }

  #change(key: string, change: Partial<LookingRow>) {
    this.rows = this.rows.map((row) =>
      row.key === key && row.kind === 'looking' ? { ...row, ...change } : row,
    );
  }

  #changeLine(key: string, change: (row: LineRow) => Partial<LineRow>) {
    this.rows = this.rows.map((row) =>
      row.key === key && row.kind === 'line' ? { ...row, ...change(row), changes: row.changes + 1 } : row,
    );
  }

  #do(effect: Effect) {
    this.effects.push(effect);
  }

  #signal(signal: Signal) {
    this.#do({ do: 'signal', signal });
  }
}

/**
 * Return the quantity of one symbol.
 *
 * It is null if a person must say it, as for a box of several.
 */
const quantityOf = ({ units }: Pick<Match, 'units'>, { reading }: Scan): Decimal =>
  units === 1 && reading?.count == null ? 1 : null;

const round = (quantity: number) => Math.round(quantity * 1000) / 1000;

function remarkOf({ reading }: Scan): Remark | null {
  if (reading?.expiry_unreadable) return 'expiryUnreadable';
  return reading?.incomplete ? 'incomplete' : null;
}

function noteOf(
  match: Pick<Match, 'units' | 'label'> | null,
  { raw, reading, told }: Scan,
  before: ScanNote | null,
): ScanNote {
  const units = (match?.units ?? 1) * (reading?.count ?? 1);
  const isMixed = reading?.separator_lost === true && hasPackData({ ...packOf(reading), expiry: null });
  return {
    raw,
    units: units === 1 ? null : units,
    label: match?.label ?? null,
    unconfirmed: (before?.unconfirmed ?? false) || isMixed,
    recall: told.recall ?? before?.recall ?? null,
    serialUsed: told.serialUsed ?? before?.serialUsed ?? null,
  };
}

/**
 * Return the row as it is stored across reloads.
 *
 * Patients' names are left out, and answers that may be outdated.
 */
export function asStored(row: Row): Row[] {
  if (row.kind === 'wristband') return [];
  if (row.kind === 'looking') return [{ ...row, answer: null }];
  if (row.kind !== 'choice' || row.people.length === 0) return [row];
  const { key, times, by, scan } = row;
  return [{ kind: 'looking', key, raw: scan.raw, times, by, answer: null, isFailed: false, isOld: true }];
}

/** Restore a row so that it is not recorded automatically. */
function asRestored(row: Row): Row {
  if (row.kind === 'line') return { ...row, isFresh: false };
  return row.kind === 'looking' ? { ...row, answer: null, isFailed: false, isOld: true } : row;
}

const printable = (raw: string) => raw.replace(/[^ -~\u00a0-\uffff]+/g, ' ').trim();
