import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { api } from '@/api/base';
import type { DetailView, PersonView } from '@/api/generated';
import type { Message, Problem } from '@/api/problem';
import type { EntryProduct, OutboxEntry } from '@/device/outboxEntry';
import type { Decimal } from '@/i18n/decimal';
import { NO_PACK, type Pack } from '@/scan/pack';

/** How a line came to be in hand by a scan, and what was told of it then. */
export interface ScanNote {
  /** The latest symbol. */
  raw: string;
  /** How many of the product's unit one such pack holds, where that is not one: how much was used is then asked. */
  units: number | null;
  label: string | null;
  /** Whether the parts of the symbol may have run into one another: lot and serial are then for the person to confirm. */
  unconfirmed: boolean;
  /** Why the lot is recalled. */
  recall: string | null;
  serialUsed: { consumption_sheet_id: number; at: string } | null;
}

/** A question that the person may go past. */
export interface Asked {
  code: string;
  text: string;
}

/** What a person entered for one detail. Named as the server names it, so that its messages find their fields. */
export interface DetailValues extends Pack {
  product_id: number | null;
  /** With its price where that is told, as long as this page is there. */
  product: (EntryProduct & { price?: number }) | null;
  quantity: Decimal;
  staff_id: number | null;
  staff: PersonView | null;
  area_id: number | null;
  /** When it was used; null for the moment in which it is entered. */
  used_at: string | null;
  gtin: string | null;
  /** The codes of the questions that the person went past. */
  acknowledged: string[];
  /** Null where the product was chosen by hand. */
  scanned: ScanNote | null;
  /** What the server asked when it was sent. */
  asked: Asked[];
  /** The key of the refused entry in whose place it is entered. */
  corrects: string | null;
}

/** What belongs to one product and one pack of it: gone with them. */
export const EMPTY_SCAN = { ...NO_PACK, gtin: null, acknowledged: [], scanned: null, asked: [] };

/** What was entered together: one detail, or several. */
export interface OutboxLine {
  /** Its idempotency key: however often it is sent, it is recorded once. */
  key: string;
  sheetId: number;
  items: DetailValues[];
  kitId: number | null;
  status: /** It is on the device, and sent when its turn comes. */
    | 'waiting'
    /** It is on its way. */
    | 'sending'
    /** The server refused it, and said why. */
    | 'refused'
    /** It is recorded, and the list does not show it yet. */
    | 'recorded'
    /** The sheet took it no more: it is kept for whoever supervises. */
    | 'late';
  /** How often it was sent: not once means that nobody has it. */
  tries: number;
  /** When it was entered, by the server's clock. */
  occurredAt: string;
  messages: Message[];
  details: DetailView[];
  /** Whether it was entered on this page, and is not told of yet. */
  mine: boolean;
}

/** A line that may repeat what somebody recorded, in the server's words. */
export interface Repeat {
  detailId: number;
  text: string;
}

/** What one person does on one sheet while the page is open. */
export interface SheetActivity {
  /** The acts on this page that can be undone, each with the details that it recorded: several for a kit. */
  acts: DetailView[][];
  /** The details that were recorded on this page. */
  recordedIds: number[];
  /** Lines that may repeat what somebody recorded shortly before, until the person says. */
  repeats: Repeat[];
  /** The products of which that was told: once while it is open. */
  repeatsTold: number[];
  /** The latest step, as the person is told of it. */
  told: { what: 'recorded' | 'undone'; detail: DetailView } | null;
}

/** A scan or a line that is not recorded yet, as the recorder of the sheet keeps it. */
export type OpenRow = { key: string };

/** What is begun and not entered, as it outlives a reload. */
export interface Drafts {
  rows: OpenRow[];
  /** What stands in the form. */
  begun: DetailValues | null;
}

/** Somebody else whose entries wait on this device: never what they are. */
export interface Other {
  userId: number;
  name: string;
  count: number;
  since: string;
}

export interface OutboxState {
  /** Of the person who is signed in, of all sheets, as they were entered. */
  lines: OutboxLine[];
  others: Other[];
  /** Since when the server does not answer. */
  unreachableSince: string | null;
  /** Something waits although the server answers: it cannot at this moment, or wants another session. */
  isHeldUp: boolean;
  /** False once the browser refused to keep an entry. */
  isKept: boolean;
  sheets: Record<number, SheetActivity>;
  /** Apart from the lines: it changes with every key. */
  begun: Record<number, DetailValues | null>;
  rows: Record<number, OpenRow[]>;
}

const blank: SheetActivity = { acts: [], recordedIds: [], repeats: [], repeatsTold: [], told: null };
const nothing: OutboxState = {
  lines: [],
  others: [],
  unreachableSince: null,
  isHeldUp: false,
  isKept: true,
  sheets: {},
  begun: {},
  rows: {},
};

type OfSheet<More = unknown> = PayloadAction<{ sheetId: number } & More>;
type OfLine<More = unknown> = PayloadAction<{ key: string } & More>;

/** Whether it is to be sent, or on its way. */
export const isWaiting = ({ status }: OutboxLine) => status === 'waiting' || status === 'sending';
/** Whether it lies on the device still. */
export const isUnsent = (line: OutboxLine) => isWaiting(line) || line.status === 'refused';

/** Whether it is recorded in one call with others, and its messages name their places. */
export const isBatch = ({ items, kitId }: OutboxLine) => items.length > 1 || kitId !== null;

export const isFieldMessage = ({ field }: Message, values: DetailValues) => field !== null && field in values;

/** The questions among the refusals; none where something else is wrong as well. */
export function questionsFrom(messages: Message[]): Asked[] {
  if (!messages.every(({ acknowledgeable }) => acknowledgeable)) return [];
  return messages.map(({ code, text }) => ({ code: code ?? '', text }));
}

/** An entry of the device as a line; what the page knows besides it does not lie there. */
export function lineOf(entry: OutboxEntry): OutboxLine {
  const { key, sheet_id, staff_id, area_id, kit_id, occurred_at, state, tries, problem } = entry;
  return {
    key,
    sheetId: sheet_id,
    items: entry.items.map((item) => ({
      ...EMPTY_SCAN,
      ...item,
      product_id: item.product.id,
      quantity: Number(item.quantity),
      staff_id,
      staff: null,
      area_id,
      used_at: occurred_at,
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
  };
}

/** What is of a sheet does nothing to one that is not open, or any more: an answer may come late. */
const slice = createSlice({
  name: 'outbox',
  initialState: nothing,
  reducers: {
    opened(state, { payload: { sheetId, drafts } }: OfSheet<{ drafts: Drafts }>) {
      const { lines, sheets, begun, rows } = state;
      sheets[sheetId] = blank;
      begun[sheetId] = drafts.begun;
      rows[sheetId] = drafts.rows;
      // What was done before the page was opened is nothing new.
      state.lines = lines.filter((line) => line.sheetId !== sheetId || isUnsent(line));
    },
    /** Into the form; null while no product stands there. */
    typed({ sheets, begun }, { payload: { sheetId, values } }: OfSheet<{ values: DetailValues | null }>) {
      if (sheets[sheetId]) begun[sheetId] = values;
    },
    rowsChanged({ sheets, rows }, { payload }: OfSheet<{ rows: OpenRow[] }>) {
      if (sheets[payload.sheetId]) rows[payload.sheetId] = payload.rows;
    },
    /** It is on the device, in the place of the one that it corrects; or in memory, where the device keeps nothing. */
    entered(state, { payload }: PayloadAction<{ line: OutboxLine; replaced?: string; isKept: boolean }>) {
      const { line, replaced, isKept } = payload;
      state.lines = state.lines.filter(({ key }) => key !== replaced && key !== line.key);
      state.lines.push(line);
      if (!isKept) state.isKept = false;
    },
    /** What lies on the device: all of it that is one's own, and whose the rest is. `before` was there as it was read. */
    read(state, { payload }: PayloadAction<{ before: string[]; entries: OutboxEntry[]; others: Other[] }>) {
      const { before, entries, others } = payload;
      const unsent = entries.flatMap((entry) => {
        const there = lineOf(entry);
        const known = state.lines.find(({ key }) => key === entry.key);
        // What is gone since is not back.
        if (!known) return before.includes(entry.key) ? [] : [there];
        // What this tab knows may not be on the device yet: it is never the other way round.
        const { tries, messages, status } = there;
        return [status === 'refused' && isWaiting(known) ? { ...known, tries, messages, status } : known];
      });
      const here = new Set(unsent.map(({ key }) => key));
      // What was entered while it was read is not gone.
      const stays = (line: OutboxLine) =>
        !here.has(line.key) && !(isUnsent(line) && before.includes(line.key));
      state.lines = [...unsent, ...state.lines.filter(stays)];
      state.others = others;
    },
    sent(state, { payload: { key } }: OfLine) {
      const line = change(state, key, { status: 'sending' });
      if (line) line.tries += 1;
    },
    /** Nobody knows whether it arrived, or it cannot be taken now: it goes on waiting. */
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
        sheet.told = { what: 'recorded', detail };
        const repeated = detail.warnings?.find(({ code }) => code === 'detail.repeated')?.message;
        if (!repeated || sheet.repeatsTold.includes(detail.product_id)) continue;
        sheet.repeatsTold.push(detail.product_id);
        sheet.repeats.push({ detailId: detail.id, text: repeated });
      }
    },
    /** It is meant as it is. */
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
    /** Whoever entered it was told that it is refused. */
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
    /** The list shows these: they are there twice otherwise. */
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
      if (sheet) sheet.told = { what: 'undone', detail };
    },
    /** Someone else was at it: it cannot be undone any more. */
    changedByOther(state, { payload: { sheetId, detailId } }: OfSheet<{ detailId: number }>) {
      forget(state, sheetId, detailId);
    },
    /** The person goes, and leaves what is not entered behind. */
    abandoned(state, { payload: { sheetId } }: OfSheet) {
      delete state.sheets[sheetId];
      delete state.begun[sheetId];
      delete state.rows[sheetId];
      remove(state, (line) => line.sheetId === sheetId && !isUnsent(line));
    },
  },
  extraReducers: (builder) => {
    // The session of that person ended; what they entered is on the device.
    builder.addCase(api.util.resetApiState, () => nothing);
  },
});

function change({ lines }: OutboxState, key: string, news: Partial<OutboxLine>) {
  const line = lines.find((one) => one.key === key);
  return line && Object.assign(line, news);
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
