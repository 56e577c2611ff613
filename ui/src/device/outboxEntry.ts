import type { UseReason } from '@/api/generated';
import type { Message } from '@/api/problem';

/** A product in an entry: what display and correction need, no price. */
export interface EntryProduct {
  id: number;
  name: string;
  code: string | null;
  gtin: string | null;
  unit: string | null;
  active: boolean;
  decimals: number;
  asks_lot: boolean;
  asks_serial: boolean;
  /** Entries of an earlier version lack it. */
  implant?: boolean;
}

/** One line of an entry. The quantity is a string with exact digits. */
export interface EntryItem {
  product: EntryProduct;
  quantity: string;
  gtin: string | null;
  lot: string | null;
  expiry: string | null;
  serial: string | null;
  /** Codes of the questions that the user acknowledged. */
  acknowledged: string[];
  /** Why a recalled lot was used. Entries of an earlier version lack it. */
  recall_reason?: string | null;
  /** Why the lot or serial number of an implant is missing. Entries of an earlier version lack it. */
  implant_reason?: string | null;
  /** Whether the product was scanned or typed. Entries of an earlier version lack it. */
  input_method?: 'scan' | 'text' | null;
}

/**
 * An unsent entry of one user for one sheet.
 *
 * It keeps the same idempotency key for every attempt.
 */
export interface OutboxEntry {
  key: string;
  user_id: number;
  /** Shown to the next user of this device, with the number of waiting entries. */
  user_name: string;
  sheet_id: number;
  /** Position among this device's entries, in which they are sent. Assigned when the entry is stored. */
  seq: number;
  /** One item is sent as a line, several as a batch. */
  items: EntryItem[];
  staff_id: number | null;
  area_id: number | null;
  kit_id: number | null;
  /** What an area used it for. Entries for a patient lack it. */
  use_reason?: UseReason;
  /** When the user pressed Enter, by the server's clock. */
  occurred_at: string;
  state: 'waiting' | 'refused';
  /** Number of attempts; 0 means that the server cannot have it. */
  tries: number;
  /** Why it was refused. */
  problem: Message[] | null;
  /** The user undid it after it was sent: once the server acknowledges it, its lines are voided. */
  undone?: boolean;
}
