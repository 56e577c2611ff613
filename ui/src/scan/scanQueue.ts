import { newIdempotencyKey } from '@/api/idempotencyKey';
import { newEntry } from './newEntry';
import {
  type Entry,
  emptyQueue,
  type QueueEffect,
  type QueueEvent,
  type QueueState,
  reduceQueue,
  waitingIn,
} from './queue';
import type { Answered, ScanPage } from './scanPages';
import { NO_SHEET } from './storedScans';

/** What the queue of a tab needs from its surroundings. */
interface Surroundings {
  /** The latest page that handles scans. */
  page: () => ScanPage;
  /** Handles what no page handles. */
  base: () => ScanPage;
  /** Whether a dialog or the lock screen holds the queue. */
  isHeld: () => boolean;
  /** Do what needs the server or a person. */
  run: (effect: Exclude<QueueEffect, { do: 'handle' }>) => void;
  /** Store the entries of a sheet that is not open, in place of those with the keys. */
  store: (place: number, entries: Entry[], keys: ReadonlySet<string>) => void;
  onChange: (state: QueueState) => void;
}

/** The queue of a tab: it hands entries to the open page, and stores what waits. */
export class ScanQueue {
  state: QueueState = { ...emptyQueue, visit: newIdempotencyKey() };
  readonly #around: Surroundings;
  /** The places at which entries are stored, and the keys that were. */
  #places = new Set<number>();
  readonly #keys = new Set<string>();

  constructor(surroundings: Surroundings) {
    this.#around = surroundings;
  }

  send(event: QueueEvent) {
    const { state, effects } = reduceQueue(this.state, event);
    if (state !== this.state) {
      if (event.type === 'pageChanged') this.#leaveStored(state);
      this.state = state;
      this.#around.onChange(state);
      this.#store();
    }
    for (const effect of effects) {
      if (effect.do !== 'handle') this.#around.run(effect);
      else {
        this.#handle(effect.entry);
        this.hold();
      }
    }
  }

  /** Add what has ended, or put it before the entry with the key. Return its key. */
  add(part: Partial<Entry>, before?: string): string {
    const entry = newEntry({ sheetId: this.#around.page().sheetId ?? null, ...part });
    this.send({ type: 'ended', entry, before });
    return entry.key;
  }

  /** Take over what is in hand, and return the context of the scan. */
  begin(before?: string): unknown {
    const { line, context } = this.#around.page().begin?.() ?? { context: null };
    if (line !== undefined) this.add({ context: line }, before);
    return context;
  }

  /** Notice whether something holds the entries. */
  hold() {
    const asks = this.#around.page().asksPatient?.() === true;
    this.send({ type: 'held', isHeld: asks || this.#around.isHeld() });
  }

  /** Notice which page is open. */
  changePage() {
    const { sheetId = null, isReady = true, takesPatients = false } = this.#around.page();
    this.send({ type: 'pageChanged', sheetId, isReady, takesPatients, visit: newIdempotencyKey() });
    this.hold();
  }

  #handle(entry: Entry) {
    const { page, base } = this.#around;
    const { sheetId } = page();
    // A page that was opened later is not the one on which it was scanned.
    const target = entry.sheetId === (sheetId ?? null) ? page() : base();
    if (entry.code === null) target.onLine?.(entry);
    else target.onScan(entry as Answered);
  }

  /** Let entries for other sheets that are no longer held stay stored: they wait until their page is opened. */
  #leaveStored(next: QueueState) {
    const held = new Set(waitingIn(next).map(({ key }) => key));
    const others = waitingIn(this.state).filter(({ sheetId }) => ![null, next.sheetId].includes(sheetId));
    for (const { key } of others) if (!held.has(key)) this.#keys.delete(key);
  }

  /** Store what waits: the page's own entries with its drafts, those of other sheets for when they are opened. */
  #store() {
    const { sheetId, onQueue } = this.#around.page();
    const all = waitingIn(this.state);
    onQueue?.(all.filter((entry) => entry.sheetId === (sheetId ?? null)));
    const others = all.filter((entry) => entry.sheetId === null || entry.sheetId !== sheetId);
    for (const { key } of others) this.#keys.add(key);
    const placeOf = ({ sheetId: id }: Entry) => id ?? NO_SHEET;
    const now = new Set(others.map(placeOf));
    for (const place of new Set([...now, ...this.#places])) {
      if (place === sheetId) continue;
      const there = others.filter((entry) => placeOf(entry) === place);
      this.#around.store(place, there, this.#keys);
    }
    this.#places = now;
  }
}
