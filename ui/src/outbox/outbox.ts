import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { api } from '@/api/base';
import type { DetailView, PersonView, ProductView } from '@/api/generated';
import type { Problem } from '@/api/problem';
import type { Decimal } from '@/i18n/decimal';
import { NO_PACK, type Pack } from '@/scan/symbol';

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

/** What a person enters for one detail. Named as the server names it, so that its messages find their fields. */
export interface DetailValues extends Pack {
  product_id: number | null;
  product: ProductView | null;
  quantity: Decimal;
  staff_id: number | null;
  staff: PersonView | null;
  area_id: number | null;
  gtin: string | null;
  /** The codes of the questions that the person went past. */
  acknowledged: string[];
  /** Null where the product was chosen by hand. */
  scanned: ScanNote | null;
  /** What the server asked when it was sent. */
  asked: Asked[];
}

/** What belongs to one product and one pack of it: gone with them. */
export const NOTHING_SCANNED = { ...NO_PACK, gtin: null, acknowledged: [], scanned: null, asked: [] };

export interface Line {
  /** Its idempotency key: however often it is sent, it is recorded once. */
  key: string;
  values: DetailValues;
  status: /** It is sent when its turn comes. */
    | 'pending'
    /** It is on its way. */
    | 'sending'
    /** It was sent, and nobody knows whether it arrived. */
    | 'unanswered'
    /** The server refused it, and said why. */
    | 'refused'
    /** It waits until the person says what becomes of it. */
    | 'setAside'
    /** It is from before a reload or the end of a session: sent when the person says so. */
    | 'leftOver'
    /** It is recorded, and the list does not show it yet. */
    | 'recorded';
  reason?: string;
  detail?: DetailView;
}

/** A line that may repeat what somebody recorded, in the server's words. */
export interface Repeat {
  detailId: number;
  text: string;
}

/** What one person enters on one sheet. */
export interface Outbox {
  /** Oldest first, which is the order in which they are sent. */
  lines: Line[];
  /** No answer came, or the sheet takes nothing: all wait until it is tried again. */
  stopped: boolean;
  /** What was recorded in this visit and can be undone, with what was typed for it. */
  undoable: { detail: DetailView; values: DetailValues }[];
  /** The details that were recorded in this visit. */
  recordedIds: number[];
  /** Lines that may repeat what somebody recorded shortly before, until the person says. */
  repeats: Repeat[];
  /** The products of which that was told: once in this visit. */
  repeatsTold: number[];
  /** The latest step, as the person is told of it. */
  told: { what: 'recorded' | 'undone'; detail: DetailView } | null;
}

/** What a person entered and the server has not confirmed, as it outlives a reload. */
export interface Unrecorded {
  lines: Line[];
  /** What stands in the form. */
  begun: DetailValues | null;
  /** The symbols that were scanned and are not looked up yet, the oldest first. */
  scans: string[];
}

export interface OutboxState {
  sheets: Record<number, Outbox>;
  /** Apart from the lines: it changes with every key. */
  begun: Record<number, DetailValues | null>;
  scans: Record<number, string[]>;
}

const empty: Outbox = {
  lines: [],
  stopped: false,
  undoable: [],
  recordedIds: [],
  repeats: [],
  repeatsTold: [],
  told: null,
};
const nothing: OutboxState = { sheets: {}, begun: {}, scans: {} };

type OfSheet<More = unknown> = PayloadAction<{ sheetId: number } & More>;
type OfLine<More = unknown> = OfSheet<{ key: string } & More>;

/** Whether it is to be sent, or on its way. */
export const isWaiting = ({ status }: Line) =>
  status === 'pending' || status === 'sending' || status === 'unanswered';
export const isUnrecorded = ({ status }: Line) => status !== 'recorded';

export const isAtField = ({ field }: Problem['messages'][number], values: DetailValues) =>
  field !== null && field in values;

/** The questions among the refusals; none where something else is wrong as well. */
export function askedIn(messages: Problem['messages']): Asked[] {
  if (!messages.every(({ acknowledgeable }) => acknowledgeable)) return [];
  return messages.map(({ code, text }) => ({ code: code ?? '', text }));
}

/** Each does nothing to a sheet that is not open, or any more: an answer may come late. */
const slice = createSlice({
  name: 'outbox',
  initialState: nothing,
  reducers: {
    opened({ sheets, begun, scans }, { payload: { sheetId, stored } }: OfSheet<{ stored: Unrecorded }>) {
      const lines = sheets[sheetId]?.lines ?? [];
      // Whoever comes back while something is on its way finds it so.
      const underWay = lines.some(({ status }) => status === 'sending');
      sheets[sheetId] = { ...empty, lines: underWay ? lines.filter(isUnrecorded) : stored.lines };
      begun[sheetId] = stored.begun;
      scans[sheetId] = stored.scans;
    },
    /** Into the form; null while no product stands there. */
    typed({ sheets, begun }, { payload: { sheetId, values } }: OfSheet<{ values: DetailValues | null }>) {
      if (sheets[sheetId]) begun[sheetId] = values;
    },
    /** So many symbols wait to be looked up. */
    scanned({ sheets, scans }, { payload: { sheetId, waiting } }: OfSheet<{ waiting: string[] }>) {
      if (sheets[sheetId]) scans[sheetId] = waiting;
    },
    entered(state, { payload: { sheetId, key, values } }: OfLine<{ values: DetailValues }>) {
      state.sheets[sheetId]?.lines.push({ key, values, status: 'pending' });
      state.begun[sheetId] = null;
    },
    setAside({ sheets }, { payload: { sheetId, key, values } }: OfLine<{ values: DetailValues }>) {
      sheets[sheetId]?.lines.push({ key, values, status: 'setAside' });
    },
    sent({ sheets }, { payload: { sheetId, key } }: OfLine) {
      change(sheets[sheetId], key, { status: 'sending' });
    },
    recorded({ sheets }, { payload: { sheetId, key, detail } }: OfLine<{ detail: DetailView }>) {
      const sheet = sheets[sheetId];
      const line = change(sheet, key, { status: 'recorded', detail });
      if (!sheet || !line) return;
      sheet.undoable.push({ detail, values: line.values });
      sheet.recordedIds.push(detail.id);
      sheet.told = { what: 'recorded', detail };
      const repeated = detail.warnings?.find(({ code }) => code === 'detail.repeated')?.message;
      if (!repeated || sheet.repeatsTold.includes(detail.product_id)) return;
      sheet.repeatsTold.push(detail.product_id);
      sheet.repeats.push({ detailId: detail.id, text: repeated });
    },
    /** Several at once, which were in no queue. */
    recordedTogether({ sheets }, { payload: { sheetId, ids } }: OfSheet<{ ids: number[] }>) {
      sheets[sheetId]?.recordedIds.push(...ids);
    },
    /** It is meant as it is. */
    repeatMeant({ sheets }, { payload: { sheetId, detailId } }: OfSheet<{ detailId: number }>) {
      const sheet = sheets[sheetId];
      if (sheet) sheet.repeats = sheet.repeats.filter((one) => one.detailId !== detailId);
    },
    refused({ sheets }, { payload: { sheetId, key, messages } }: OfLine<{ messages: Problem['messages'] }>) {
      const sheet = sheets[sheetId];
      const reason = messages.map(({ text }) => text).join(' ');
      const line = change(sheet, key, { status: 'refused', reason });
      if (!sheet || !line) return;
      line.values.asked = askedIn(messages);
      // A refusal that names no field of a detail is about the sheet, and so about all that follow.
      sheet.stopped = !messages.every(
        (message) => message.acknowledgeable || isAtField(message, line.values),
      );
    },
    /** `failure` is what a person cannot put right. */
    unanswered({ sheets }, { payload: { sheetId, key } }: OfLine<{ failure?: Problem }>) {
      const sheet = sheets[sheetId];
      if (sheet && change(sheet, key, { status: 'unanswered' })) sheet.stopped = true;
    },
    retried({ sheets }, { payload: { sheetId } }: OfSheet) {
      const sheet = sheets[sheetId];
      if (sheet) sheet.stopped = false;
    },
    /** What was set aside is to be sent as it is, what was asked about it gone past: then `anew` is its key. */
    released({ sheets }, { payload: { sheetId, key, anew = key } }: OfLine<{ anew?: string }>) {
      const line = change(sheets[sheetId], key, { status: 'pending', key: anew, reason: undefined });
      if (line) line.values.acknowledged = line.values.asked.map(({ code }) => code);
    },
    leftOversReleased({ sheets }, { payload: { sheetId } }: OfSheet) {
      const sheet = sheets[sheetId];
      if (!sheet) return;
      for (const line of sheet.lines) if (line.status === 'leftOver') line.status = 'pending';
      sheet.stopped = false;
    },
    dropped({ sheets }, { payload: { sheetId, key } }: OfLine) {
      remove(sheets[sheetId], (line) => line.key === key);
    },
    /** Back into the form; what stood there is set aside in its place. */
    corrected(
      { sheets },
      { payload: { sheetId, key, inHand } }: OfLine<{ inHand: Pick<Line, 'key' | 'values'> | null }>,
    ) {
      const lines = sheets[sheetId]?.lines ?? [];
      const place = lines.findIndex((line) => line.key === key);
      if (place >= 0) lines.splice(place, 1, ...(inHand ? [{ ...inHand, status: 'setAside' as const }] : []));
    },
    /** The list shows these: they are there twice otherwise. */
    listed({ sheets }, { payload: { sheetId, ids } }: OfSheet<{ ids: number[] }>) {
      remove(sheets[sheetId], ({ detail }) => detail !== undefined && ids.includes(detail.id));
    },
    undone({ sheets }, { payload: { sheetId, detail } }: OfSheet<{ detail: DetailView }>) {
      const sheet = sheets[sheetId];
      forget(sheet, detail.id);
      if (sheet) sheet.told = { what: 'undone', detail };
    },
    /** Someone else was at it: it cannot be undone any more. */
    changedByOther({ sheets }, { payload: { sheetId, detailId } }: OfSheet<{ detailId: number }>) {
      forget(sheets[sheetId], detailId);
    },
    /** The person goes, and leaves what is not recorded behind. */
    abandoned({ sheets, begun, scans }, { payload: { sheetId } }: OfSheet) {
      delete sheets[sheetId];
      delete begun[sheetId];
      delete scans[sheetId];
    },
  },
  extraReducers: (builder) => {
    // The session of that person ended; what they entered is stored for them.
    builder.addCase(api.util.resetApiState, () => nothing);
  },
});

function change(sheet: Outbox | undefined, key: string, news: Partial<Line>) {
  const line = sheet?.lines.find((one) => one.key === key);
  return line && Object.assign(line, news);
}

function remove(sheet: Outbox | undefined, which: (line: Line) => boolean) {
  if (sheet?.lines.some(which)) sheet.lines = sheet.lines.filter((line) => !which(line));
}

function forget(sheet: Outbox | undefined, detailId: number) {
  if (!sheet) return;
  sheet.undoable = sheet.undoable.filter(({ detail }) => detail.id !== detailId);
  sheet.repeats = sheet.repeats.filter((one) => one.detailId !== detailId);
  remove(sheet, ({ detail }) => detail?.id === detailId);
}

export const outboxOf = ({ outbox }: { outbox: OutboxState }, sheetId: number) =>
  outbox.sheets[sheetId] ?? empty;

/** One after the other: none while another is on its way. */
export const nextToSend = ({ lines, stopped }: Outbox) =>
  stopped || lines.some(({ status }) => status === 'sending') ? undefined : lines.find(isWaiting);

export const outboxReducer = slice.reducer;
export const {
  opened,
  typed,
  scanned,
  entered,
  setAside,
  sent,
  recorded,
  refused,
  unanswered,
  retried,
  released,
  leftOversReleased,
  dropped,
  corrected,
  listed,
  undone,
  changedByOther,
  abandoned,
  repeatMeant,
  recordedTogether,
} = slice.actions;
