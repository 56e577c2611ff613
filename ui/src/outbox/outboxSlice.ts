import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { api } from '@/api/base';
import type { DetailView, PersonView, UseReason } from '@/api/generated';
import type { Message, Problem } from '@/api/problem';
import type { EntryProduct, OutboxEntry } from '@/device/outboxEntry';
import type { Decimal } from '@/i18n/decimal';
import { NO_PACK, type Pack } from '@/symbols/pack';

/** What a scan said about the line that it created. */
export interface ScanNote {
  /** The latest scanned text. */
  raw: string;
  /** Units of the product in one pack, if not one: the user is then asked how much was used. */
  units: number | null;
  label: string | null;
  /** Whether parts of the symbol may have run together, so that the user must confirm lot and serial number. */
  unconfirmed: boolean;
  /** The recall that covers the pack. Drafts of an earlier version lack it. */
  recalled?: Recalled | null;
  serialUsed: { consumption_sheet_id: number; at: string } | null;
}

/** A recall in force. */
export interface Recalled {
  id: number;
  reason: string;
  since: string;
}

/** A question that the user may acknowledge. */
export interface Asked {
  code: string;
  text: string;
  recallId?: number;
}

/**
 * The values that a user entered for one detail.
 *
 * They are named like the server's fields, so that its messages match.
 */
export interface DetailValues extends Pack {
  product_id: number | null;
  /** With its price, if the user may see it, while the page is open. */
  product: (EntryProduct & { price?: number; included_in_stay?: boolean }) | null;
  quantity: Decimal;
  staff_id: number | null;
  staff: PersonView | null;
  area_id: number | null;
  /** When it was used; null for the time of entry. */
  used_at: string | null;
  /** What an area uses it for; empty until that is chosen. Lines of a patient lack it. */
  use_reason?: UseReason | '';
  gtin: string | null;
  /** Codes of the questions that the user acknowledged. */
  acknowledged: string[];
  /** Why a recalled lot was used. */
  recall_reason: string | null;
  /** Why the lot or serial number of an implant is missing. */
  implant_reason: string | null;
  /** Null if the product was chosen by hand. */
  scanned: ScanNote | null;
  /** How the product was chosen, for a line without a note of a scan; null if neither way. */
  input_method?: 'scan' | 'text' | null;
  /** Questions in the server's response. */
  asked: Asked[];
  /** The key of the refused entry that this one corrects. */
  corrects: string | null;
}

/** Everything that belongs to one pack of a product, to reset with it. */
export const EMPTY_SCAN = {
  ...NO_PACK,
  gtin: null,
  acknowledged: [],
  recall_reason: null,
  implant_reason: null,
  scanned: null,
  input_method: null,
  asked: [],
};

/** An outbox entry as the page shows it, with one or several details. */
export interface OutboxLine {
  /** The idempotency key: however often it is sent, it is recorded once. */
  key: string;
  sheetId: number;
  items: DetailValues[];
  kitId: number | null;
  status: /** On the device, to be sent. */
    | 'waiting'
    /** Being sent. */
    | 'sending'
    /** Refused by the server, with reasons. */
    | 'refused'
    /** Recorded, but not in the list yet. */
    | 'recorded'
    /** Too late for the sheet: kept for a supervisor. */
    | 'late';
  /** Number of attempts; 0 means that the server cannot have it. */
  tries: number;
  /** When it was entered, by the server's clock. */
  occurredAt: string;
  messages: Message[];
  details: DetailView[];
  /** Whether it was entered on this page and its result has not been shown yet. */
  mine: boolean;
  /** Whether the user undid it after it was sent. */
  isUndone: boolean;
}

/** A possible duplicate, in the server's words. */
export interface Repeat {
  detailId: number;
  text: string;
}

/** An action to announce. */
interface Told {
  what: 'recorded' | 'undone';
  quantity: Decimal;
  product: string;
}

/** The activity of a user on one sheet while its page is open. */
export interface SheetActivity {
  /** Actions on this page that can be undone, each with its details: several for a kit. */
  acts: DetailView[][];
  /** Ids of the details recorded on this page. */
  recordedIds: number[];
  /** Possible duplicates that the user has not confirmed yet. */
  repeats: Repeat[];
  /** Products with a duplicate warning already: one is enough while the page is open. */
  repeatsTold: number[];
  /** The latest action, to announce. */
  told: Told | null;
}

/** A scan or line not recorded yet, as stored by the sheet's recorder. */
export interface OpenRow {
  key: string;
  /** Whether it is recorded, and its entry is being stored under its key. */
  isStoring?: boolean;
}

/** Input that is not yet entered. It survives a reload. */
export interface Drafts {
  rows: OpenRow[];
  /** The values of the form. */
  begun: DetailValues | null;
}

/** Another user with entries on this device; never the entries themselves. */
export interface Other {
  userId: number;
  name: string;
  count: number;
  since: string;
}

export interface OutboxState {
  /** Entries of the signed-in user on all sheets, in order. */
  lines: OutboxLine[];
  others: Other[];
  /** Since when the server does not answer. */
  unreachableSince: string | null;
  /** Entries wait although the server answers: it is unavailable, or needs a new session. */
  isHeldUp: boolean;
  /** Whether the device keeps entries. Otherwise they are only in this tab. */
  isKept: boolean;
  /** Whether the outbox of the device was read for this user. */
  isRead: boolean;
  sheets: Record<number, SheetActivity>;
  /** Separate from the lines, because it changes with every key. */
  begun: Record<number, DetailValues | null>;
  rows: Record<number, OpenRow[]>;
}

declare module '@/state/storeHooks' {
  interface RootState {
    outbox: OutboxState;
  }
}

const blank: SheetActivity = { acts: [], recordedIds: [], repeats: [], repeatsTold: [], told: null };
const nothing: OutboxState = {
  lines: [],
  others: [],
  unreachableSince: null,
  isHeldUp: false,
  isKept: true,
  isRead: false,
  sheets: {},
  begun: {},
  rows: {},
};

interface Reading {
  before: string[];
  entries: OutboxEntry[];
  others: Other[];
  isKept: boolean;
}

type OfSheet<More = unknown> = PayloadAction<{ sheetId: number } & More>;
type OfLine<More = unknown> = PayloadAction<{ key: string } & More>;

/** Return whether the line waits or is being sent. */
export const isWaiting = ({ status }: OutboxLine) => status === 'waiting' || status === 'sending';
/** Return whether the line is still on the device. */
export const isUnsent = (line: OutboxLine) => isWaiting(line) || line.status === 'refused';

/** Return whether the line is a batch, whose messages name positions. */
export const isBatch = ({ items, kitId }: OutboxLine) => items.length > 1 || kitId !== null;

export const isFieldMessage = ({ field }: Message, values: DetailValues) => field !== null && field in values;

/** Return the questions in a refusal, or none if it has another error, too. */
export function questionsFrom(messages: Message[]): Asked[] {
  if (!messages.every(({ acknowledgeable }) => acknowledgeable)) return [];
  return messages.map(({ code, text, recallId }) => ({
    code: code ?? '',
    text,
    ...(recallId && { recallId }),
  }));
}

/**
 * Convert a stored entry to a line.
 *
 * What only the page knows is not stored.
 */
export function lineOf(entry: OutboxEntry): OutboxLine {
  const { key, sheet_id, staff_id, area_id, kit_id, use_reason, occurred_at, state, tries, problem } = entry;
  return {
    key,
    sheetId: sheet_id,
    items: entry.items.map((item) => ({
      ...EMPTY_SCAN,
      ...item,
      product_id: item.product.id,
      quantity: Number(item.quantity),
      recall_reason: item.recall_reason ?? null,
      implant_reason: item.implant_reason ?? null,
      staff_id,
      staff: null,
      area_id,
      used_at: occurred_at,
      use_reason,
      asked: questionsFrom(problem ?? []),
      corrects: null,
    })),
    kitId: kit_id,
    status: state,
    tries,
    occurredAt: occurred_at,
    messages: problem ?? [],
    details: [],
    mine: false,
    isUndone: entry.undone ?? false,
  };
}

/** Actions on a sheet that is not open have no effect, because a response may come late. */
const slice = createSlice({
  name: 'outbox',
  initialState: nothing,
  reducers: {
    opened(state, { payload: { sheetId, drafts } }: OfSheet<{ drafts: Drafts }>) {
      const { lines, sheets, begun, rows } = state;
      sheets[sheetId] = blank;
      begun[sheetId] = drafts.begun;
      rows[sheetId] = drafts.rows;
      // Lines that were finished before the page opened are not news.
      state.lines = lines.filter((line) => line.sheetId !== sheetId || isUnsent(line));
    },
    /** Set the form's values; null while no product is chosen. */
    typed({ sheets, begun }, { payload: { sheetId, values } }: OfSheet<{ values: DetailValues | null }>) {
      if (sheets[sheetId]) begun[sheetId] = values;
    },
    rowsChanged({ sheets, rows }, { payload }: OfSheet<{ rows: OpenRow[] }>) {
      if (sheets[payload.sheetId]) rows[payload.sheetId] = payload.rows;
    },
    /**
     * The entry is stored, or in memory if the device has no storage.
     *
     * It takes the place of its row and of the entry that it corrects.
     */
    entered(state, { payload }: PayloadAction<{ line: OutboxLine; replaced?: string; isKept: boolean }>) {
      const { line, replaced, isKept } = payload;
      const rows = state.rows[line.sheetId];
      if (rows) state.rows[line.sheetId] = rows.filter(({ key }) => key !== line.key);
      state.lines = state.lines.filter(({ key }) => key !== replaced && key !== line.key);
      state.lines.push(line);
      state.isKept = isKept;
    },
    /** The outbox was read: the user's entries, and who has others. `before` has the keys known when reading began. */
    read(state, { payload }: PayloadAction<Reading>) {
      const { before, entries, others, isKept } = payload;
      state.isKept = isKept;
      state.isRead = true;
      const unsent = entries.flatMap((entry) => {
        const there = lineOf(entry);
        const known = state.lines.find(({ key }) => key === entry.key);
        // An entry that left the page in the meantime does not come back.
        if (!known) return before.includes(entry.key) ? [] : [there];
        // The page may be ahead of the device, but never behind it.
        const { tries, messages, status } = there;
        const isUndone = known.isUndone || there.isUndone;
        return [
          status === 'refused' && isWaiting(known)
            ? { ...known, isUndone, tries, messages, status }
            : { ...known, isUndone },
        ];
      });
      const here = new Set(unsent.map(({ key }) => key));
      // An entry that was added during the reading stays.
      const stays = (line: OutboxLine) =>
        !here.has(line.key) && !(isUnsent(line) && before.includes(line.key));
      state.lines = [...unsent, ...state.lines.filter(stays)];
      state.others = others;
    },
    sent(state, { payload: { key } }: OfLine) {
      const line = change(state, key, { status: 'sending' });
      if (line) line.tries += 1;
    },
    /** The entry may not have arrived, or the server is unavailable: it keeps waiting. */
    putOff(state, { payload: { key } }: OfLine) {
      if (change(state, key, { status: 'waiting' })) state.isHeldUp = true;
    },
    recorded(state, { payload: { key, details } }: OfLine<{ details: DetailView[] }>) {
      const line = change(state, key, { status: 'recorded', details });
      state.isHeldUp = false;
      const sheet = line && state.sheets[line.sheetId];
      if (!sheet) return void remove(state, (one) => one.key === key);
      sheet.acts.push(details);
      for (const detail of details) {
        sheet.recordedIds.push(detail.id);
        tell(sheet, 'recorded', detail);
        const repeated = detail.warnings?.find(({ code }) => code === 'detail.repeated')?.message;
        if (!repeated || sheet.repeatsTold.includes(detail.product_id)) continue;
        sheet.repeatsTold.push(detail.product_id);
        sheet.repeats.push({ detailId: detail.id, text: repeated });
      }
    },
    /** The user confirmed the duplicate. */
    repeatMeant({ sheets }, { payload: { sheetId, detailId } }: OfSheet<{ detailId: number }>) {
      const sheet = sheets[sheetId];
      if (sheet) sheet.repeats = sheet.repeats.filter((one) => one.detailId !== detailId);
    },
    refused(state, { payload: { key, messages } }: OfLine<{ messages: Problem['messages'] }>) {
      const line = change(state, key, { status: 'refused', messages });
      state.isHeldUp = false;
      for (const values of line?.items ?? []) values.asked = questionsFrom(messages);
    },
    keptLate(state, { payload: { key } }: OfLine) {
      change(state, key, { status: 'late' });
      state.isHeldUp = false;
    },
    /** The user undid it after it was sent. */
    takenBack(state, { payload: { key } }: OfLine) {
      const line = change(state, key, { isUndone: true });
      const sheet = line && state.sheets[line.sheetId];
      for (const { quantity, product } of line?.items ?? [])
        if (sheet && product) tell(sheet, 'undone', { quantity, product });
    },
    /** The user has seen the refusal. */
    noticed(state, { payload: { key } }: OfLine) {
      change(state, key, { mine: false });
    },
    dropped(state, { payload: { key } }: OfLine) {
      remove(state, (line) => line.key === key);
    },
    unreachable(state, { payload }: PayloadAction<string>) {
      state.unreachableSince ??= payload;
    },
    reached(state) {
      state.unreachableSince = null;
    },
    /** The list shows these details now, so their lines would be duplicates. */
    listed(state, { payload: { ids } }: OfSheet<{ ids: number[] }>) {
      const shown = new Set(ids);
      remove(
        state,
        ({ status, details }) => status === 'recorded' && details.every(({ id }) => shown.has(id)),
      );
    },
    undone(state, { payload: { sheetId, detail } }: OfSheet<{ detail: DetailView }>) {
      forget(state, sheetId, detail.id);
      const sheet = state.sheets[sheetId];
      if (sheet) tell(sheet, 'undone', detail);
    },
    /** Someone else changed the detail, so it can no longer be undone. */
    changedByOther(state, { payload: { sheetId, detailId } }: OfSheet<{ detailId: number }>) {
      forget(state, sheetId, detailId);
    },
    /** The user leaves the page and its drafts. */
    abandoned(state, { payload: { sheetId } }: OfSheet) {
      delete state.sheets[sheetId];
      delete state.begun[sheetId];
      delete state.rows[sheetId];
      remove(state, (line) => line.sheetId === sheetId && !isUnsent(line));
    },
  },
  extraReducers: (builder) => {
    // The session ended. The user's entries are on the device.
    builder.addCase(api.util.resetApiState, () => nothing);
  },
});

function change({ lines }: OutboxState, key: string, news: Partial<OutboxLine>) {
  const line = lines.find((one) => one.key === key);
  return line && Object.assign(line, news);
}

function tell(
  sheet: SheetActivity,
  what: Told['what'],
  line: { quantity: Decimal; product: { name: string } },
) {
  sheet.told = { what, quantity: line.quantity, product: line.product.name };
}

function remove(state: OutboxState, which: (line: OutboxLine) => boolean) {
  if (state.lines.some(which)) state.lines = state.lines.filter((line) => !which(line));
}

function forget(state: OutboxState, sheetId: number, detailId: number) {
  const sheet = state.sheets[sheetId];
  if (!sheet) return;
  sheet.acts = sheet.acts
    .map((details) => details.filter(({ id }) => id !== detailId))
    .filter((details) => details.length > 0);
  sheet.repeats = sheet.repeats.filter((one) => one.detailId !== detailId);
  for (const line of state.lines) line.details = line.details.filter(({ id }) => id !== detailId);
  remove(state, ({ status, details }) => status === 'recorded' && details.length === 0);
}

export const activityOf = ({ outbox }: { outbox: OutboxState }, sheetId: number) =>
  outbox.sheets[sheetId] ?? blank;

export const outboxReducer = slice.reducer;
export const {
  opened,
  typed,
  rowsChanged,
  entered,
  read,
  sent,
  putOff,
  recorded,
  refused,
  keptLate,
  takenBack,
  noticed,
  dropped,
  unreachable,
  reached,
  listed,
  undone,
  changedByOther,
  abandoned,
  repeatMeant,
} = slice.actions;
