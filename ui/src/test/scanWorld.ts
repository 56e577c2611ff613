import type { ProductLookupView } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { eventOf, type HandLine } from '@/recording/scanning/entryEvent';
import { reduceRecorder } from '@/recording/scanning/recorder';
import {
  askedPerson,
  asStored,
  type Recorder,
  type RecorderEvent,
  type RecorderState,
  type Row,
} from '@/recording/scanning/recorderState';
import { newEntry } from '@/scan/newEntry';
import type { Destination, Entry, QueueEffect, QueueEvent } from '@/scan/queue';
import type { ScanPage } from '@/scan/scanPages';
import { ScanQueue } from '@/scan/scanQueue';
import { fromStored, isStoredScan, NO_SHEET, type StoredScan, toStored, withScans } from '@/scan/storedScans';
import { type Field, type FieldKind, ScanReader } from '@/symbols/reader';
import type { ScannerProfile } from '@/symbols/scannerProfile';
import { answer, by, byHand, match, NOW } from './recorder';

/** What a code of the world means: a product by its id, a patient by the ids of the open sheets, or nothing. */
export interface Meanings {
  products: Map<string, number>;
  patients: Map<string, number[]>;
}

export { askedPerson, type HandLine };

type Stored = Row | StoredScan;

interface Recorded {
  product: number;
  sheet: number;
  quantity: Decimal;
  area: number | null;
}

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
  #queue = this.#newQueue();
  /** The sheet whose page is open; null for a list of sheets. */
  page: number | null;
  isReady = true;
  recorder: RecorderState | null = null;
  /** What each sheet's drafts hold, across pages and reloads. */
  drafts = new Map<number, Stored[]>();
  /** The entries on the device, by their keys. */
  entries = new Map<string, Recorded>();
  /** Entries that are being stored on the device, which has not committed them. */
  storing: { key: string; entry: Recorded }[] = [];
  /** Texts that their field used. */
  typed: Entry[] = [];
  /** The key of the latest entry. */
  latest = '';
  /** The area that is chosen on the page. */
  area = 0;
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

  #newQueue() {
    return new ScanQueue({
      page: () => this.#page(),
      base: () => ({ onScan: this.#refuse }),
      isHeld: () => this.#hasQuestion,
      run: (effect) => this.#run(effect),
      store: (place, entries, keys) =>
        this.drafts.set(place, withScans(this.drafts.get(place) ?? [], entries, keys) as Stored[]),
      onChange: () => {},
    });
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
      this.end({ code: verdict.code, times: verdict.times, context: this.#queue.begin() });
      return verdict;
    }
    const entry = this.end({ code: verdict.code, doubt: verdict.is });
    const question = { entry, field, rest: verdict.rest };
    this.questions.push(verdict.is === 'ask' ? { ...question, whole: verdict.whole } : question);
    return verdict;
  }

  // --- the queue ---

  /** The queue's state. */
  get queue() {
    return this.#queue.state;
  }

  end(part: Partial<Entry>): Entry {
    this.#keys += 1;
    const entry = newEntry({ key: `k${this.#keys}`, sheetId: this.page, ...part });
    this.latest = entry.key;
    this.#queue.add(entry);
    return entry;
  }

  /** Enter a line by hand. */
  hand(product: number) {
    if (this.page === null) return;
    const values = byHand(product, 1, { area_id: this.area });
    this.end({ context: { values, isAssumed: false, isPutAside: false } satisfies HandLine });
  }

  /** Answer the question whether a text is a code. */
  decide(key: string, isCode: boolean) {
    const context = isCode ? this.#queue.begin(key) : undefined;
    this.send({ type: 'decided', key, isCode, context });
  }

  send(event: QueueEvent) {
    this.#queue.send(event);
  }

  #run(effect: QueueEffect) {
    if (effect.do === 'lookUp') this.lookups.push(effect.entry);
    else if (effect.do === 'open') this.#open(effect.destination);
    else if (effect.do === 'type') {
      this.typed.push(...this.queue.entries.filter(({ key }) => key === effect.key));
      this.send({ type: 'removed', key: effect.key });
    }
  }

  /** The open page, as `useRecorder` describes it; a list of sheets refuses. */
  #page(): ScanPage {
    const { recorder, isReady } = this;
    if (!recorder) return { onScan: this.#refuse };
    const take = (entry: Entry) => {
      if (this.#isAsked) this.hasty.push(entry);
      this.record(eventOf(entry, () => this.#by));
    };
    return {
      sheetId: recorder.sheetId,
      isReady,
      begin: () => ({ context: isReady ? this.#by : null }),
      onScan: take,
      onLine: take,
      onQueue: (entries) => {
        this.#waiting = entries;
        this.#store();
      },
      asksPatient: () => this.question !== undefined,
    };
  }

  readonly #refuse = (entry: Entry) => void this.refused.push(entry);

  get #by(): Recorder {
    return { ...by, area_id: this.area };
  }

  /** The row in which the page asks to whose sheet a wristband leads. */
  get question() {
    return this.recorder?.rows.find((row) => askedPerson(row) !== undefined);
  }

  get #hasQuestion() {
    return this.dialog !== 'none' || this.leaving !== null;
  }

  get #isAsked() {
    return this.#hasQuestion || this.question !== undefined;
  }

  record(event: RecorderEvent) {
    if (!this.recorder) return;
    const { state, effects } = reduceRecorder(this.recorder, event, NOW);
    this.recorder = state;
    this.#store();
    for (const effect of effects) {
      if (effect.do === 'record') {
        const { product_id, quantity, area_id } = effect.values;
        const entry = { product: product_id as number, sheet: state.sheetId, quantity, area: area_id };
        this.storing.push({ key: effect.key, entry });
      } else if (effect.do === 'openSheet')
        this.send({ type: 'patientChosen', destination: effect, visit: effect.visit });
      else if (effect.do === 'dismiss')
        this.send({
          type: 'dismissed',
          destination: { sheetId: null, person: effect.person },
          visit: effect.visit,
        });
    }
    this.#queue.hold();
  }

  /** The device commits the first entry: it takes the place of its row in one step. */
  commit() {
    const [first] = this.storing.splice(0, 1);
    if (!first) return;
    this.#keep(first);
    // The page may be another one, or another visit of the same sheet.
    if (this.recorder?.rows.some(({ key }) => key === first.key))
      this.record({ type: 'stored', key: first.key });
  }

  #keep({ key, entry }: ScanWorld['storing'][number]) {
    this.entries.set(key, entry);
    const stored = this.drafts.get(entry.sheet) ?? [];
    this.drafts.set(
      entry.sheet,
      stored.filter((row) => row.key !== key),
    );
  }

  #waiting: Entry[] = [];

  /** Store the page's drafts. */
  #store() {
    if (!this.recorder) return;
    const { sheetId, rows } = this.recorder;
    this.drafts.set(sheetId, [...rows.flatMap(asStored), ...this.#waiting.map(toStored)]);
  }

  // --- the server ---

  answerNext(which: number) {
    const [entry] = this.lookups.splice(which % Math.max(this.lookups.length, 1), 1);
    if (entry?.code) this.send({ type: 'answered', key: entry.key, answer: this.#meaningOf(entry.code) });
  }

  /** Let all answers arrive, the page that is being opened, and the device commit. */
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
    while (this.storing.length > 0) this.commit();
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
    this.#queue.hold();
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
    else this.send({ type: 'stayed' });
    this.#queue.hold();
  }

  /** The page that is being opened is there, and then its data. */
  arrive() {
    const { opening } = this;
    this.opening = null;
    if (opening !== null) {
      if (this.page !== null) this.unmount();
      this.mount(opening);
    } else this.ready();
  }

  ready() {
    if (this.isReady) return;
    this.isReady = true;
    this.#queue.changePage();
  }

  mount(sheet: number | null) {
    this.page = sheet;
    this.isReady = sheet === null;
    const stored = (sheet !== null && this.drafts.get(sheet)) || [];
    this.recorder = sheet === null ? null : { sheetId: sheet, rows: [] };
    this.area = 10 * (sheet ?? 0);
    this.#waiting = [];
    this.focus('bar');
    if (sheet === null) return this.#queue.changePage();
    this.record({ type: 'restored', rows: stored.filter((row): row is Row => !isStoredScan(row)) });
    this.#restore(stored, sheet);
    this.#queue.changePage();
  }

  #restore(stored: Stored[], sheet: number | null) {
    const entries = stored.filter(isStoredScan).map((row) => fromStored(row, sheet));
    this.send({ type: 'restored', entries });
  }

  unmount() {
    this.record({ type: 'left' });
    this.recorder = null;
    this.page = null;
    this.isReady = true;
    this.#queue.changePage();
  }

  /** Open a page by hand. */
  click(sheet: number | null) {
    this.reader.clear();
    this.questions = [];
    this.leaving = null;
    this.dialog = 'none';
    this.opening = null;
    const { going } = this.queue;
    if (going && going.sheetId !== sheet) this.send({ type: 'stayed' });
    this.unmount();
    this.mount(sheet);
  }

  /** Load the page again, or restart after a crash, before the device has committed all entries. */
  reload(sheet: number | null, committed = this.storing.length) {
    // The tab may end between the commit and the removal of the row: the outbox is read before anything is sent.
    for (const one of this.storing.splice(0, committed)) this.#keep(one);
    this.storing = [];
    this.reader.clear();
    this.#queue = this.#newQueue();
    this.lookups = [];
    this.questions = [];
    this.leaving = null;
    this.opening = null;
    this.dialog = 'none';
    this.recorder = null;
    this.mount(sheet);
    this.#restore(this.drafts.get(NO_SHEET) ?? [], null);
  }

  setDialog(dialog: 'none' | 'clean' | 'dirty') {
    this.dialog = dialog;
    this.#queue.hold();
  }

  wait() {
    for (const row of this.recorder?.rows ?? [])
      if (row.kind === 'line') this.record({ type: 'delayElapsed', key: row.key, changes: row.changes });
  }
}

const isClear = (row: Row) => row.kind === 'line' && (row.isStoring || (row.isFresh && !row.isAssumed));

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
