import type { UseReason } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { type DetailValues, EMPTY_SCAN } from '@/outbox/outboxSlice';
import type { Signal } from '@/scan/signals';
import { type Person, sheetsOf } from '@/scan/wristbands';
import { filledIn, hasPackData, type Pack } from '@/symbols/pack';
import { IMPLANT_INCOMPLETE, LOT_RECALLED, type Reasons } from '@/topics/sheets/lines/questions';
import { canBeRecorded, freshLine, getQuestions, isAnswered, isClear, missingParts } from './lineChecks';
import {
  askedPerson,
  asRestored,
  type Effect,
  isStoring,
  type LineRow,
  type LookedUp,
  lacksReason,
  type Match,
  type Recorder,
  type RecorderEvent,
  type RecorderState,
  type Remark,
  type Row,
  type Scan,
} from './recorderState';
import { noteOf, packOf, printable, quantityOf, remarkOf } from './scannedPack';

/*
 * The state of scans and manual entries until they are recorded, as a pure reducer.
 *
 * The queue hands over scans with their answers, in order. A line without a question is recorded by the next code, after
 * a short delay, or when the page is left. A line with a question waits for a person. A recorded line stays among the
 * rows, and in the stored drafts, until its entry is stored: a crash loses no line.
 */

/** The present moment by the server's clock, and the hospital's day. */
export interface Now {
  at: string;
  today: string;
}

/** Return the next state and the side effects. */
export function reduceRecorder(
  state: RecorderState,
  event: RecorderEvent,
  now: Now,
): { state: RecorderState; effects: Effect[] } {
  const step = new Step(state, now);
  step.take(event);
  return { state: { ...state, rows: step.rows }, effects: step.effects };
}

/** One run of the reducer. Rows are replaced, never mutated. */
class Step {
  rows: Row[];
  effects: Effect[] = [];
  readonly sheetId: number;
  readonly today: string;
  readonly at: string;

  constructor({ rows, sheetId }: RecorderState, { today, at }: Now) {
    this.rows = rows;
    this.sheetId = sheetId;
    this.today = today;
    this.at = at;
  }

  take(event: RecorderEvent) {
    switch (event.type) {
      case 'lookedUp':
        return this.#apply(event.scan);
      case 'noted': {
        const { key, description, quantity, by } = event;
        return this.#note({ kind: 'note', key, description, quantity, by, isFailed: false });
      }
      case 'setAside': {
        const { key, unit, lineKey } = event;
        if (this.#row(key) || (lineKey && !this.#row(lineKey))) return;
        if (lineKey) this.#remove(lineKey);
        const row = { kind: 'setAside', key, unit, isFailed: false } as const;
        this.#add(row);
        return this.#do({ do: 'setAside', row });
      }
      case 'noteArrived':
      case 'setAsideArrived':
        this.#signal('taken');
        return this.#remove(event.key);
      case 'noteFailed':
      case 'setAsideFailed': {
        const row = this.#row(event.key);
        if (row?.kind === 'note' || row?.kind === 'setAside') this.#replace({ ...row, isFailed: true });
        return;
      }
      case 'retried':
        for (const row of this.rows) {
          if (row.kind === 'note' && row.isFailed) this.#sendNote(row);
          if (row.kind === 'setAside' && row.isFailed) this.#sendSetAside(row);
        }
        return;
      case 'entered':
        return this.#enter(event.key, event.values);
      case 'putAside':
        this.#leaveFresh();
        return this.#addLine(event.key, event.values, event.isAssumed);
      case 'quantitySet':
        if (event.quantity === 0 && this.#row(event.key)) return this.#remove(event.key);
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
        return this.#release(event.key, event.reasons);
      case 'reasonChosen':
        return this.#giveReason(event.reason);
      case 'removed': {
        const row = this.#row(event.key);
        if (!row) return;
        const person = askedPerson(row);
        this.#remove(event.key);
        if (person && 'scan' in row) this.#do({ do: 'dismiss', person, visit: row.scan.visit });
        return;
      }
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
      case 'stored':
        return this.#remove(event.key);
      case 'left':
        return this.#leaveFresh();
      case 'restored': {
        // Rows that are here already are not old: the page has stored them itself.
        const known = new Set(this.rows.map(({ key }) => key));
        const old = event.rows.filter(({ key }) => !known.has(key));
        this.rows = [...old.map(asRestored), ...this.rows];
        for (const row of old) {
          if (row.kind === 'note' && !lacksReason(row)) this.#sendNote(row);
          if (row.kind === 'setAside') this.#sendSetAside(row);
        }
      }
    }
  }

  // --- handling of scans ---

  #apply({ key, raw, times, by, answer, visit, isOld }: LookedUp) {
    const { matches, reading, recall, serial_used, noted, read_as, people } = answer;
    const scan: Scan = { raw, reading, told: { recalled: recall, serialUsed: serial_used }, visit };
    const [match] = matches;
    if (people.length > 0) {
      if (match) return this.#ask({ kind: 'choice', key, about: 'clash', scan, matches, people, times, by });
      return this.#meetPatient(key, scan, people);
    }
    const { label } = answer;
    if (label && label.state !== 'found') {
      this.#add({ kind: 'label', key, label });
      return this.#signal('refused');
    }
    if (label?.form_number) {
      if (isOld) return;
      this.#do({ do: 'openForm', number: label.form_number });
      return this.#signal('taken');
    }
    // After a reload, no drawer opens by itself.
    if (label?.kit_id) {
      if (isOld) return;
      this.#do({ do: 'openKit', kitId: label.kit_id });
      return this.#signal('taken');
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
    if (isOld) this.#holdFresh();
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
    const line = this.rows.findLast((row): row is LineRow => row.kind === 'line' && !row.isStoring);
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

  #meetPatient(key: string, scan: Scan, people: Person[]) {
    const sheets = sheetsOf(people);
    this.#leaveFresh();
    for (const row of this.rows) if (row.kind === 'wristband') this.#remove(row.key);
    this.#add({ kind: 'wristband', key, scan, people });
    this.#signal(sheets.some(({ id }) => id === this.sheetId) ? 'taken' : 'asked');
  }

  #openSheet(sheetId: number, person: Person, visit: string) {
    this.#leaveFresh();
    this.#do({ do: 'openSheet', sheetId, person, visit });
  }

  // --- answers of the user ---

  #enter(key: string, values: DetailValues) {
    this.#leaveFresh();
    this.#addLine(key, values, false);
    const row = this.#row(key);
    if (row?.kind !== 'line') return;
    if (isClear(row, this.today)) return this.#record({ ...row, isFresh: false });
    if (isAnswered(row, this.today)) this.#replace({ ...row, isFresh: false, awaitsReason: true });
    const questions = getQuestions(values, this.today);
    this.#signal('asked');
    const [part] = missingParts(values, questions);
    if (part) this.#do({ do: 'focus', key, part });
  }

  #release(key: string, reasons: Reasons = {}) {
    const row = this.#row(key);
    if (row?.kind !== 'line' || !canBeRecorded(row.values)) return;
    const { values } = row;
    const questions = getQuestions(values, this.today);
    if (questions.includes(LOT_RECALLED) && !reasons.recall_reason) return;
    if (questions.includes(IMPLANT_INCOMPLETE) && !reasons.implant_reason) return;
    const acknowledged = [...new Set([...values.acknowledged, ...questions])];
    this.#record({ ...row, values: { ...values, acknowledged, ...reasons } });
  }

  #setPack(key: string, change: Partial<Pack>) {
    const row = this.#row(key);
    if (row?.kind !== 'line') return;
    const values = { ...row.values, ...change, asked: [], acknowledged: [], implant_reason: null };
    this.#changeLine(key, () => ({ values }));
    this.#do({ do: 'recheck', key, values });
  }

  #noteTold(key: string, pack: Pack, told: Scan['told']) {
    const row = this.#row(key);
    if (row?.kind !== 'line' || row.values.lot !== pack.lot || row.values.serial !== pack.serial) return;
    const { values } = row;
    if (!values.scanned && !told.recalled && !told.serialUsed) return;
    const scanned = values.scanned ?? noteOf(null, { raw: '', reading: null, told, visit: '' }, null);
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
    if (person && sheetId !== this.sheetId) this.#openSheet(sheetId, person, row.scan.visit);
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
    else this.#replace({ ...fresh, isFresh: false, awaitsReason: isAnswered(fresh, this.today) });
  }

  #holdFresh() {
    const fresh = freshLine({ rows: this.rows, sheetId: this.sheetId });
    if (fresh) this.#replace({ ...fresh, isFresh: false });
  }

  #record(row: LineRow) {
    // The same moment each time, so that after a crash the server recognizes the entry.
    const values = { ...row.values, used_at: row.values.used_at ?? this.at };
    this.#replace({ ...row, values, isStoring: true });
    this.#do({ do: 'record', key: row.key, values });
  }

  #addLine(key: string, values: DetailValues, isAssumed: boolean) {
    this.#add({ kind: 'line', key, values, isFresh: true, isAssumed, remark: null, changes: 0 });
  }

  #note(row: Extract<Row, { kind: 'note' }>) {
    this.#add(row);
    if (lacksReason(row)) this.#signal('asked');
    else this.#do({ do: 'note', row });
  }

  /** Give the reason to the rows that lack it, and record those that waited for nothing else. */
  #giveReason(use_reason: UseReason) {
    for (const row of this.rows) {
      if ('by' in row && row.by.use_reason === '') this.#replace({ ...row, by: { ...row.by, use_reason } });
      if (row.kind === 'line' && lacksReason(row))
        this.#changeLine(row.key, ({ values }) => ({
          values: { ...values, use_reason },
          awaitsReason: false,
        }));
      const now = this.#row(row.key);
      if (now?.kind === 'note' && lacksReason(row)) this.#sendNote(now);
      if (now?.kind === 'line' && row.kind === 'line' && row.awaitsReason) this.#record(now);
    }
  }

  #sendNote(row: Extract<Row, { kind: 'note' }>) {
    const again = { ...row, isFailed: false };
    this.#replace(again);
    this.#do({ do: 'note', row: again });
  }

  #sendSetAside(row: Extract<Row, { kind: 'setAside' }>) {
    const again = { ...row, isFailed: false };
    this.#replace(again);
    this.#do({ do: 'setAside', row: again });
  }

  #ask(row: Row) {
    this.#add(row);
    this.#signal('asked');
  }

  #row = (key: string) => this.rows.find((row) => row.key === key && !isStoring(row));

  #add(row: Row) {
    this.rows = [...this.rows, row];
  }

  #remove(key: string) {
    this.rows = this.rows.filter((row) => row.key !== key);
  }

  #replace(changed: Row) {
    this.rows = this.rows.map((row) => (row.key === changed.key ? changed : row));
  }

  #changeLine(key: string, change: (row: LineRow) => Partial<LineRow>) {
    const row = this.#row(key);
    if (row?.kind === 'line') this.#replace({ ...row, ...change(row), changes: row.changes + 1 });
  }

  #do(effect: Effect) {
    this.effects.push(effect);
  }

  #signal(signal: Signal) {
    this.#do({ do: 'signal', signal });
  }
}

const round = (quantity: number) => Math.round(quantity * 1000) / 1000;
