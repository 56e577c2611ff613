import { retryAfterMs } from '@/api/connectivity';
import { etag } from '@/api/etag';
import { type DetailView, generatedApi, type RecordedDetailsView } from '@/api/generated';
import { isAborted, toProblem } from '@/api/problem';
import { api } from '@/api/tags';
import type { OutboxEntry } from '@/device/outboxEntry';
import { text } from '@/i18n/messages';
import { toast } from '@/shared/ui/toast';
import type { AppDispatch, AppThunk, RootState } from '@/state/storeHooks';
import { changeEntry, deleteEntry } from './entries';
import {
  dropped,
  isBatch,
  keptLate,
  putOff,
  questionsFrom,
  recorded,
  refused,
  sent,
  undone,
} from './outboxSlice';
import { outcomeOf, type SendOutcome } from './outcome';
import { broadcast } from './tabChannel';
import { LEASE_MS, withTabLock } from './tabLock';
import { loadOutbox } from './thunks';

/** Delays between attempts in milliseconds: 2 s, doubled with each failure, up to a minute. */
const FIRST = 2_000;
const LONGEST = 60_000;
/** Delay before a late entry is sent as a line again, because its sheet has been reopened. In milliseconds. */
const RETRY_AFTER_MS = 1_000;

const senders = new WeakMap<AppDispatch, OutboxSender>();

/** Send the user's entries until none are left or the rest must wait. */
export const flushOutbox = (): AppThunk<void> => (dispatch, getState) => {
  const sender = senders.get(dispatch) ?? new OutboxSender(dispatch, getState);
  senders.set(dispatch, sender);
  return sender.send();
};

/** Stop sending and cancel the next attempt. */
export const stopSending = (): AppThunk<void> => async (dispatch) => senders.get(dispatch)?.stop();

/**
 * Sender of the outbox.
 *
 * The entries of a sheet are sent in order; sheets do not wait for each other. Only one tab sends, and it broadcasts
 * the results.
 */
class OutboxSender {
  readonly #dispatch: AppDispatch;
  readonly #getState: () => RootState;
  #running: Promise<void> | null = null;
  /** Called when there may be new entries. */
  #wake = () => {};
  #isNews = false;
  #isStopped = false;
  #failures = 0;
  #timer: number | undefined;

  constructor(dispatch: AppDispatch, getState: () => RootState) {
    this.#dispatch = dispatch;
    this.#getState = getState;
  }

  send(): Promise<void> {
    this.#isNews = true;
    this.#isStopped = false;
    this.#wake();
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Stop after the requests that are being sent. */
  stop() {
    this.#isStopped = true;
    window.clearTimeout(this.#timer);
  }

  async #run() {
    window.clearTimeout(this.#timer);
    let wait = retryAfterMs();
    while (wait === 0 && this.#isNews) {
      this.#isNews = false;
      const hadLock = await withTabLock(async () => {
        wait = await this.#sendAll();
      });
      // The tab with the lock may close before they are sent.
      if (!hadLock && (await this.#waiting()).length > 0) wait = LEASE_MS;
    }
    if (wait > 0 && !this.#isStopped) this.#timer = window.setTimeout(() => this.send(), wait);
  }

  async #waiting() {
    const entries = await this.#dispatch(loadOutbox());
    return this.#getState().session.token ? entries.filter(({ state }) => state === 'waiting') : [];
  }

  /** Send all entries. Return the delay until the next attempt in milliseconds, or 0 if none are left. */
  async #sendAll(): Promise<number> {
    const sending = new Map<number, Promise<void>>();
    const waits = new Map<number, number>();
    for (;;) {
      this.#isNews = false;
      for (const entry of await this.#waiting()) {
        const { sheet_id } = entry;
        if (sending.has(sheet_id) || waits.has(sheet_id)) continue;
        const sendIt = async () => {
          const wait = await this.#sendOne(entry);
          sending.delete(sheet_id);
          if (wait > 0) waits.set(sheet_id, wait);
        };
        sending.set(sheet_id, sendIt());
      }
      if (sending.size === 0) return Math.min(...waits.values(), LONGEST) * Math.sign(waits.size);
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if (!this.#isNews) await Promise.race([...sending.values(), woken]);
    }
  }

  /** Send one entry. Return the delay until the next attempt in milliseconds, or 0 if it is done. */
  async #sendOne(entry: OutboxEntry): Promise<number> {
    const { key, user_id } = entry;
    const dispatch = this.#dispatch;
    // Count the attempt first: an entry without attempts has certainly not reached the server.
    const isThere = await changeEntry(key, { tries: entry.tries + 1 }).catch(() => true);
    // Another user may have signed in just now, and must not send this entry.
    if (this.#isStopped || this.#getState().session.user?.id !== user_id) return LONGEST;
    if (!isThere) {
      dispatch(dropped({ key }));
      return 0;
    }
    dispatch(sent({ key }));
    const outcome = await this.#post(entry);
    if (outcome.becomes === 'waits') return this.#putOff(key, outcome.for);
    this.#failures = 0;
    if (this.#isUndone(entry)) return this.#voidLines(key, outcome);
    if (outcome.becomes === 'refused') {
      const { messages } = outcome;
      const kept = changeEntry(key, { state: 'refused', problem: messages });
      dispatch(refused({ key, messages }));
      // A question is shown beside its line instead.
      if (questionsFrom(messages).length === 0) for (const { text: told } of messages) toast.error(told);
      await kept;
      broadcast({ what: 'changed' });
      return 0;
    }
    // Show the result before the list is refetched. In another tab, the user may have undone it just now.
    let isUndone = false;
    const gone = deleteEntry(key, ({ undone }) => {
      isUndone = undone ?? false;
      return !isUndone;
    });
    if (outcome.becomes === 'recorded') {
      const { details } = outcome;
      dispatch(notifyRecorded(key, details));
      await gone;
      if (isUndone) return this.#voidLines(key, outcome);
      broadcast({ what: 'recorded', userId: user_id, key, details });
      return 0;
    }
    if (outcome.becomes === 'isLate') {
      dispatch(keptLate({ key }));
      toast.error(text('outbox.late'));
    } else dispatch(dropped({ key }));
    await gone;
    dispatch(api.util.invalidateTags(['Detail', 'Sheet']));
    broadcast({ what: 'changed' });
    return 0;
  }

  #putOff(key: string, wait?: number) {
    this.#dispatch(putOff({ key }));
    broadcast({ what: 'putOff', key });
    if (wait) return wait;
    this.#failures += 1;
    return Math.max(retryAfterMs(), Math.min(LONGEST, FIRST * 2 ** (this.#failures - 1)));
  }

  #isUndone({ key, undone }: OutboxEntry) {
    return undone || this.#getState().outbox.lines.some((line) => line.key === key && line.isUndone);
  }

  /** Void the lines of an entry that the user undid. Return like `#sendOne`. */
  async #voidLines(key: string, outcome: SendOutcome): Promise<number> {
    const dispatch = this.#dispatch;
    for (const detail of outcome.becomes === 'recorded' ? outcome.details : []) {
      const answer = await dispatch(voidLine(detail));
      if (answer?.becomes === 'waits') return this.#putOff(key, answer.for);
    }
    await deleteEntry(key);
    dispatch(dropped({ key }));
    dispatch(api.util.invalidateTags(['Detail', 'Sheet']));
    broadcast({ what: 'changed' });
    return 0;
  }

  async #post(entry: OutboxEntry): Promise<SendOutcome> {
    const outcome = await this.#postLines(entry);
    if (outcome.becomes !== 'isLate' || this.#isUndone(entry)) return outcome;
    const { submitLateEntry } = generatedApi.endpoints;
    const { error } = await this.#dispatch(
      submitLateEntry.initiate(
        {
          sheetId: entry.sheet_id,
          'Idempotency-Key': entry.key,
          lateEntryDraft: {
            items: linesOf(entry),
            kit_id: entry.kit_id ?? undefined,
            occurred_at: entry.occurred_at,
          },
        },
        { track: false },
      ),
    );
    if (!error) return { becomes: 'isLate' };
    const late = answered(error);
    return late.becomes === 'isOpen' || late.becomes === 'isLate'
      ? { becomes: 'waits', for: RETRY_AFTER_MS }
      : late;
  }

  async #postLines(entry: OutboxEntry): Promise<SendOutcome> {
    const { key, sheet_id: sheetId, kit_id, occurred_at } = entry;
    const { addSheetDetail, recordDetails } = generatedApi.endpoints;
    const [line, ...others] = linesOf(entry).map((one) => ({ ...one, occurred_at }));
    if (line && others.length === 0 && kit_id === null) {
      const { data, error } = await this.#dispatch(
        addSheetDetail.initiate({ sheetId, 'Idempotency-Key': key, detailDraft: line }, { track: false }),
      );
      return data ? { becomes: 'recorded', details: [data] } : answered(error);
    }
    const { data, error } = await this.#dispatch(
      recordDetails.initiate(
        {
          sheetId,
          'Idempotency-Key': key,
          detailsDraft: { items: line ? [line, ...others] : [], kit_id: kit_id ?? undefined },
        },
        { track: false },
      ),
    );
    return data ? { becomes: 'recorded', details: eachWithItsWarnings(data) } : answered(error);
  }
}

/**
 * Void a line that the user undid while it was being sent. Return the outcome of a failure.
 *
 * A line that the server keeps is shown by the list, and a toast says why.
 */
const voidLine =
  (detail: DetailView): AppThunk<SendOutcome | null> =>
  async (dispatch) => {
    const { deleteDetail } = generatedApi.endpoints;
    const { error } = await dispatch(
      deleteDetail.initiate({ detailId: detail.id, 'If-Match': etag(detail) }, { track: false }),
    );
    if (!error || toProblem(error).status === 404) return null; // voided now, or by an earlier attempt
    const outcome = answered(error);
    if (outcome.becomes !== 'waits')
      for (const { text: told } of toProblem(error).messages) toast.error(told, { autoClose: false });
    return outcome;
  };

/** An aborted request has an unknown outcome: the entry waits. */
const answered = (error: unknown): SendOutcome =>
  isAborted(error) ? { becomes: 'waits' } : outcomeOf(error);

const linesOf = ({ items, staff_id, area_id, use_reason }: OutboxEntry) =>
  items.map(({ product, quantity, gtin, lot, expiry, serial, acknowledged, ...others }) => ({
    product_id: product.id,
    quantity: Number(quantity),
    staff_id: staff_id ?? undefined,
    area_id: area_id ?? undefined,
    use_reason,
    gtin: gtin ?? undefined,
    lot: lot ?? undefined,
    expiry: expiry ?? undefined,
    serial: serial ?? undefined,
    // Its presence says that this client can answer questions.
    acknowledged,
    recall_reason: others.recall_reason ?? undefined,
    implant_reason: others.implant_reason ?? undefined,
    input_method: others.input_method ?? undefined,
  }));

const eachWithItsWarnings = ({ items, warnings = [] }: RecordedDetailsView): DetailView[] =>
  items.map((detail, place) => {
    const its = warnings.filter(({ field }) => field === `items.${place}`);
    return its.length > 0 ? { ...detail, warnings: its } : detail;
  });

/** Show an entry as recorded, by this tab or another. */
export const notifyRecorded =
  (key: string, details: DetailView[]): AppThunk<void> =>
  async (dispatch, getState) => {
    const line = getState().outbox.lines.find((one) => one.key === key);
    dispatch(recorded({ key, details }));
    // Another tab recorded it while it was undone here.
    if (line?.isUndone) {
      for (const detail of details)
        if (!(await dispatch(voidLine(detail)))) dispatch(undone({ sheetId: line.sheetId, detail }));
    } else if (line?.mine && !isBatch(line))
      toast.success(text(line.items[0]?.use_reason ? 'area.created' : 'details.created'));
  };
