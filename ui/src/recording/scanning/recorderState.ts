import type {
  NotedCodeView,
  OwnLabelView,
  PersonView,
  ProductLookupView,
  ReadingView,
  UseReason,
} from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import type { DetailValues, ScanNote } from '@/outbox/outboxSlice';
import type { Signal } from '@/scan/signals';
import type { StoredScan } from '@/scan/storedScans';
import { type Person, sheetsOf } from '@/scan/wristbands';
import type { Pack, Part } from '@/symbols/pack';
import type { Reasons } from '@/topics/sheets/lines/questions';

export type Match = ProductLookupView['matches'][number];
/** As whom, where, when and, in an area, what for something is used. */
export interface Recorder {
  staff_id: number | null;
  staff: PersonView | null;
  area_id: number | null;
  used_at: string | null;
  /** See `DetailValues`. */
  use_reason?: UseReason | '';
}

/** A scanned symbol with its content. */
export interface Scan {
  raw: string;
  reading: ReadingView | null;
  told: Pick<ScanNote, 'recalled' | 'serialUsed'>;
  /** See `Entry`. */
  visit: string;
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
  /** Whether it only waits for what the area uses it for. */
  awaitsReason?: boolean;
  remark: Remark | null;
  /** The number of changes; each one restarts the delay. */
  changes: number;
  /** Whether it is recorded, and waits until its entry is stored under its key: nothing changes it any more. */
  isStoring?: boolean;
}

/** A scan with its answer, from the queue. */
export interface LookedUp {
  key: string;
  raw: string;
  times: Decimal | undefined;
  by: Recorder;
  answer: ProductLookupView;
  /** See `Entry`. */
  visit: string;
  /** See `Entry`: nothing that is old is recorded automatically. */
  isOld: boolean;
}

export type Row =
  | LineRow
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
  /** A label of another installation, or of something that does not exist any more. */
  | { kind: 'label'; key: string; label: OwnLabelView }
  /** An unlisted item being sent to the sheet; the key makes retries idempotent. */
  | { kind: 'note'; key: string; description: string; quantity: number; by: Recorder; isFailed: boolean }
  /** Recalled units being set aside; the key makes retries idempotent. */
  | { kind: 'setAside'; key: string; unit: RecalledUnit; isFailed: boolean }
  /** A wristband of this patient, of one with several open sheets, or of one without any. */
  | { kind: 'wristband'; key: string; scan: Scan; people: Person[] };

/** Units of a recalled lot, and where they were found. */
export interface RecalledUnit {
  recallId: number;
  product: string;
  quantity: number;
  lot: string | null;
  roomId: number | undefined;
  areaId: number | null;
}

export interface RecorderState {
  sheetId: number;
  /** The oldest first. */
  rows: Row[];
}

export type RecorderEvent =
  | { type: 'lookedUp'; scan: LookedUp }
  | { type: 'retried' }
  /** Entered by hand and confirmed with Enter. */
  | { type: 'entered'; key: string; values: DetailValues }
  /** Entered by hand, but a scan came before Enter. */
  | { type: 'putAside'; key: string; values: DetailValues; isAssumed: boolean }
  | { type: 'quantitySet'; key: string; quantity: Decimal }
  | { type: 'packSet'; key: string; part: Part; value: string | null }
  | { type: 'rechecked'; key: string; pack: Pack; told: Scan['told'] }
  | { type: 'confirmed'; key: string }
  /** Record the line and acknowledge its questions; some of them need a reason. */
  | { type: 'released'; key: string; reasons?: Reasons }
  /** Set recalled units aside, in place of the line. Later the request succeeds or fails. */
  | { type: 'setAside'; key: string; unit: RecalledUnit; lineKey?: string }
  | { type: 'setAsideArrived'; key: string }
  | { type: 'setAsideFailed'; key: string }
  /** What the area uses the next lines for, and those that wait for it. */
  | { type: 'reasonChosen'; reason: UseReason }
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
  /** The entry of a recorded line is stored. */
  | { type: 'stored'; key: string }
  /** The page was left, the screen locked or the session ended. */
  | { type: 'left' }
  | { type: 'restored'; rows: Row[] };

export type Effect =
  | { do: 'recheck'; key: string; values: DetailValues }
  /** Store the entry of a line under its key, and then send `stored`. */
  | { do: 'record'; key: string; values: DetailValues }
  | { do: 'note'; row: Extract<Row, { kind: 'note' }> }
  | { do: 'setAside'; row: Extract<Row, { kind: 'setAside' }> }
  | { do: 'signal'; signal: Signal }
  /** A kit's label was scanned. */
  | { do: 'openKit'; kitId: number }
  | { do: 'openForm'; number: number }
  | { do: 'focus'; key: string; part: Part }
  | { do: 'openSheet'; sheetId: number; person: Person; visit: string }
  /** The question about the patient was dismissed. */
  | { do: 'dismiss'; person: Person; visit: string };

/** A row as it is stored across reloads. */
export type StoredRow = Row | StoredScan;

/**
 * Return the row as it is stored across reloads.
 *
 * Patients' names are left out, and answers that may be outdated.
 */
export function asStored(row: Row): StoredRow[] {
  const isAsked = askedPerson(row) !== undefined;
  if (row.kind === 'wristband' && !isAsked) return [];
  if ((row.kind !== 'choice' && row.kind !== 'wristband') || !isAsked) return [row];
  const {
    key,
    scan: { raw, visit },
  } = row;
  const { times, by } = row.kind === 'choice' ? row : { times: undefined, by: null };
  return [{ kind: 'looking', key, raw, times, by, visit }];
}

/** Restore a row so that it is not recorded automatically. If its entry was stored, the row is not restored. */
export const asRestored = (row: Row): Row =>
  row.kind === 'line' ? { ...row, isFresh: false, isStoring: false, awaitsReason: false } : row;

/** Return whether the row is recorded, so that nothing changes it. */
export const isStoring = (row: Row) => row.kind === 'line' && row.isStoring === true;

/** A line that was typed and recorded at once was not listed before, so it does not appear for the moment of storing. */
export const isListed = (row: Row) => row.kind !== 'line' || row.isFresh || !row.isStoring;

/** Return whether the row waits for what the area uses it for. */
export const lacksReason = (row: Row) =>
  (row.kind === 'line' ? row.values.use_reason : row.kind === 'note' ? row.by.use_reason : undefined) === '';

/** Return the person about whose sheet the row asks; nothing is recorded until that is answered. */
export function askedPerson(row: Row): Person | undefined {
  if (row.kind === 'choice') return row.people[0];
  const isAnswered = row.kind !== 'wristband' || sheetsOf(row.people).length === 1;
  return isAnswered ? undefined : row.people[0];
}
