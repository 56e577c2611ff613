import type { ProductLookupView } from '@/api/generated';
import { reduceRecorder } from '@/features/sheet-page/scanning/recorder';
import {
  askedPerson,
  asStored,
  type Recorder,
  type RecorderEvent,
  type RecorderState,
  type Row,
} from '@/features/sheet-page/scanning/recorderState';
import type { DetailValues } from '@/outbox/outboxSlice';
import { type Destination, type Entry, emptyQueue, type QueueEvent, reduceQueue } from '@/scan/queue';
import { type Field, type FieldKind, ScanReader } from '@/scan/reader';
import type { ScannerProfile } from '@/scan/scannerProfile';
import { fromStored, isStoredScan, NO_SHEET, type StoredScan, toStored } from '@/scan/storedScans';
import { answer, byHand, match, TODAY } from './recorder';

/** What a code of the world means: a product by its id, a patient by the ids of the open sheets, or nothing. */
export interface Meanings {
  products: Map<string, number>;
  patients: Map<string, number[]>;
}

type Stored = Row | StoredScan;
const context: Recorder = { staff_id: 7, staff: null, area_id: 2, used_at: '2026-11-25T10:00:00Z' };

/** Return a GTIN-13 with its check digit. */
export function gtinOf(number: number): string {
  const digits = `952${String(number).padStart(9, '0')}`;
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (place % 2 ? 3 : 1), 0);
  return digits + ((10 - (sum % 10)) % 10);
}

/**
 * A tab with a scanner, the pages of several sheets, and a server whose answers come when the test wants.
 *
 * It connects the reader, the queue and the recorders as the components do.
 */
export class ScanWorld {
  queue = emptyQueue;
  /** The sheet whose page is open; null for a list of sheets. */
  page: number | null;
  isReady = true;
  recorder: RecorderState | null = null;
  /** What each sheet's drafts hold, across pages and reloads. */
  drafts = new Map<number, Stored[]>();
  recorded: { product: number; sheet: number }[] = [];
  /** Entries that were handled while a question was open. */
  hasty: Entry[] = [];
  /** Codes that ended in a sentence, because no sheet was open. */
  refused: Entry[] = [];
  lookups: Entry[] = [];
  questions: { entry: Entry; field: Field | null; whole?: string; rest: string }[] = [];
  /** The question before leaving, and the page that is being opened. */
  leaving: Destination | null = null;
  opening: number | null = null;
  /** A dialog about the sheet, and whether something was typed into it. */
  dialog: 'none' | 'clean' | 'dirty' = 'none';
  field: { kind: FieldKind; value: string; id: number } = { kind: 'bar', value: '', id: 0 };
  readonly meanings: Meanings;
  readonly reader: ScanReader;
  at = 0;
  #keys = 0;

  constructor(meanings: Meanings, page: number | null, profile: ScannerProfile = {}) {
    this.meanings = meanings;
    this.page = page;
    const isCode = (code: string) => meanings.products.has(code);
    this.reader = new ScanReader({ isCode, isName: () => false }, () => profile);
    this.mount(page);
  }

  // --- keys ---

  focus(kind: FieldKind, value = '') {
    this.#keys += 1;
    this.field = { kind, value, id: this.#keys };
  }

  get #field(): Field {
    const { kind, value, id } = this.field;
    return { kind, id, value: kind === 'none' ? '' : value };
  }

  press(text: string, every: number, pauses: Record<number, number> = {}) {
    [...text].forEach((key, place) => {
      this.at += pauses[place] ?? every;
      const separator = key === '\u001d';
      const stroke = {
        key: separator ? ']' : key,
        code: separator ? 'BracketRight' : '',
        ctrlKey: separator,
      };
      const held = { repeat: false, altKey: false, metaKey: false, timeStamp: this.at };
      this.reader.press({ ...held, ...stroke }, this.#field);
      if (this.field.kind !== 'none' && !separator) this.field.value += key;
    });
  }

  /** End with Enter. Returns the verdict. */
  enter(every: number) {
    this.at += every;
    const field = this.#field;
    const verdict = this.reader.end(field);
    if (verdict.is === 'typed') {
      if (this.field.kind !== 'none') this.field.value = '';
      return verdict;
    }
    if (verdict.is === 'scan') {
      this.field.value = verdict.rest;
      this.end({ code: verdict.code });
      return verdict;
    }
    const entry = this.end({ code: verdict.code, doubt: verdict.is });
    const question = { entry, field, rest: verdict.rest };
    this.questions.push(verdict.is === 'ask' ? { ...question, whole: verdict.whole } : question);
    return verdict;
  }

  // --- the queue ---

  end(part: Partial<Entry>): Entry {
    this.#keys += 1;
    const entry: Entry = {
      key: `k${this.#keys}`,
      sheetId: this.page,
      code: null,
      at: context.used_at as string,
      context,
      answer: null,
      isFailed: false,
      isOld: false,
      isMoved: false,
      doubt: null,
      ...part,
    };
    this.send({ type: 'ended', entry });
    return entry;
  }

  /** Enter a line by hand. */
  hand(product: number) {
    if (this.page === null) return;
    this.end({ context: byHand(product, 1) });
  }

  send(event: QueueEvent) {
    const { state, effects } = reduceQueue(this.queue, event);
    this.queue = state;
    this.#store();
    for (const effect of effects) {
      if (effect.do === 'lookUp') this.lookups.push(effect.entry);
      else if (effect.do === 'open') this.#open(effect.destination);
      else if (effect.do === 'type') this.send({ type: 'removed', key: effect.key });
      else if (effect.do === 'handle') {
        this.#handle(effect.entry);
        this.#hold();
      }
    }
  }

  get #isAsked() {
    const asks = this.recorder?.rows.some((row) => askedPerson(row) !== undefined) ?? false;
    return this.dialog !== 'none' || this.leaving !== null || asks;
  }

  #hold() {
    this.send({ type: 'held', isHeld: this.#isAsked });
  }

  #handle(entry: Entry) {
    if (this.#isAsked) this.hasty.push(entry);
    if (!this.recorder || entry.sheetId !== this.page) {
      this.refused.push(entry);
      return;
    }
    const { key, code, answer: given, isOld } = entry;
    if (code === null)
      this.record(
        isOld
          ? { type: 'putAside', key, values: entry.context as DetailValues, isAssumed: true }
          : { type: 'entered', key, values: entry.context as DetailValues },
      );
    else if (given)
      this.record({
        type: 'lookedUp',
        scan: { key, raw: code, times: 1, by: context, answer: given, isOld },
      });
  }

  record(event: RecorderEvent) {
    if (!this.recorder) return;
    const { state, effects } = reduceRecorder(this.recorder, event, TODAY);
    this.recorder = state;
    this.#store();
    for (const effect of effects) {
      if (effect.do === 'record')
        this.recorded.push({ product: effect.values.product_id as number, sheet: state.sheetId });
      else if (effect.do === 'openSheet') this.send({ type: 'patientChosen', destination: effect });
      else if (effect.do === 'stay')
        this.send({ type: 'stayed', destination: { sheetId: null, person: effect.person } });
    }
    this.#hold();
  }

  readonly #others = new Set<number>();
  readonly #written = new Set<string>();

  #store() {
    const { entries, givenBack } = this.queue;
    const all = [...entries, ...givenBack.flatMap((given) => given.entries)];
    if (this.recorder) {
      const { sheetId, rows } = this.recorder;
      const waiting = all.filter((entry) => entry.sheetId === sheetId).map(toStored);
      this.drafts.set(sheetId, [...rows.flatMap(asStored), ...waiting]);
    }
    const others = all.filter(({ sheetId }) => sheetId === null || sheetId !== this.page);
    for (const { key } of others) this.#written.add(key);
    const now = new Set(others.map(({ sheetId }) => sheetId ?? NO_SHEET));
    for (const id of new Set([...now, ...this.#others])) {
      if (id === this.page) continue;
      const isOther = (row: Stored) => !(isStoredScan(row) && this.#written.has(row.key));
      const rows = (this.drafts.get(id) ?? []).filter(isOther);
      const waiting = others.filter(({ sheetId }) => (sheetId ?? NO_SHEET) === id).map(toStored);
      this.drafts.set(id, [...rows, ...waiting]);
    }
    this.#others.clear();
    for (const id of now) this.#others.add(id);
  }

  // --- the server ---

  answerNext(which: number) {
    const [entry] = this.lookups.splice(which % Math.max(this.lookups.length, 1), 1);
    if (entry?.code) this.send({ type: 'answered', key: entry.key, answer: this.#meaningOf(entry.code) });
  }

  /** Let all answers arrive, and the page that is being opened. */
  flush() {
    this.send({ type: 'retried' });
    for (
      let tries = 0;
      tries < 200 && (this.lookups.length > 0 || this.opening !== null || !this.isReady);
      tries++
    ) {
      if (this.lookups.length > 0) this.answerNext(0);
      else this.arrive();
    }
  }

  /** Whether entries wait for a person's answer. */
  get isBlocked() {
    return this.#isAsked || this.queue.entries.some(({ doubt }) => doubt !== null);
  }

  failNext(which: number) {
    const [entry] = this.lookups.splice(which % Math.max(this.lookups.length, 1), 1);
    if (entry) this.send({ type: 'failed', key: entry.key });
  }

  #meaningOf(code: string): ProductLookupView {
    const product = this.meanings.products.get(code);
    if (product !== undefined) return answer({ matches: [match(product)] });
    const sheets = this.meanings.patients.get(code);
    return sheets ? answer({ people: [personOf(code, sheets)] }) : answer();
  }

  // --- pages ---

  #open(destination: Destination) {
    const { sheetId } = destination;
    const hasWork = (this.recorder?.rows.length ?? 0) > 0 && this.recorder?.rows.some((row) => !isClear(row));
    if (hasWork || this.dialog === 'dirty') this.leaving = destination;
    else this.#go(sheetId);
    this.#hold();
  }

  #go(sheetId: number | null) {
    this.dialog = 'none';
    this.leaving = null;
    this.unmount();
    this.opening = sheetId;
  }

  /** Answer the question before leaving. */
  answerLeaving(isSure: boolean) {
    const { leaving } = this;
    if (!leaving) return;
    this.leaving = null;
    if (isSure) this.#go(leaving.sheetId);
    else this.send({ type: 'stayed', destination: leaving });
    this.#hold();
  }

  /** The page that is being opened is there, and then its data. */
  arrive() {
    const { opening } = this;
    this.opening = null;
    if (opening !== null) this.mount(opening);
    else this.ready();
  }

  ready() {
    if (this.isReady) return;
    this.isReady = true;
    this.#changed();
  }

  mount(sheet: number | null) {
    this.page = sheet;
    this.isReady = sheet === null;
    const stored = (sheet !== null && this.drafts.get(sheet)) || [];
    this.recorder = sheet === null ? null : { sheetId: sheet, rows: [] };
    this.focus('bar');
    this.#changed();
    if (sheet === null) return;
    this.record({ type: 'restored', rows: stored.filter((row): row is Row => !isStoredScan(row)) });
    const known = new Set(this.queue.entries.map(({ key }) => key));
    for (const { key } of this.queue.givenBack.flatMap((given) => given.entries)) known.add(key);
    for (const row of stored)
      if (isStoredScan(row) && !known.has(row.key))
        this.send({ type: 'ended', entry: fromStored(row, sheet, context.used_at as string) });
  }

  unmount() {
    this.record({ type: 'left' });
    this.recorder = null;
    this.page = null;
    this.isReady = true;
    this.#changed();
  }

  #changed() {
    const { page, isReady } = this;
    this.send({ type: 'pageChanged', sheetId: page, isReady, takesPatients: false });
    this.#hold();
  }

  /** Open a page by hand. */
  click(sheet: number | null) {
    this.reader.clear();
    this.questions = [];
    this.leaving = null;
    this.dialog = 'none';
    this.opening = null;
    this.unmount();
    this.mount(sheet);
  }

  reload(sheet: number | null) {
    this.reader.clear();
    this.queue = emptyQueue;
    this.#others.clear();
    this.#written.clear();
    this.lookups = [];
    this.questions = [];
    this.leaving = null;
    this.opening = null;
    this.dialog = 'none';
    this.recorder = null;
    this.mount(sheet);
    for (const row of this.drafts.get(NO_SHEET)?.filter(isStoredScan) ?? [])
      this.send({ type: 'ended', entry: fromStored(row, null, context.used_at as string) });
  }

  setDialog(dialog: 'none' | 'clean' | 'dirty') {
    this.dialog = dialog;
    this.#hold();
  }

  wait() {
    for (const row of this.recorder?.rows ?? [])
      if (row.kind === 'line') this.record({ type: 'delayElapsed', key: row.key, changes: row.changes });
  }
}

const isClear = (row: Row) => row.kind === 'line' && row.isFresh && !row.isAssumed;

function personOf(code: string, sheets: number[]) {
  const room = (id: number) => ({ id, name: `R${id}` });
  return {
    id: Math.abs(sheets[0] ?? 99),
    name: 'Ana',
    first_surname: code,
    second_surname: null,
    record_number: code,
    date_of_birth: null,
    sheet_id: null,
    sheets: sheets.map((id) => ({ id, room: room(id), admission_date: '2026-11-20' })),
  };
}
