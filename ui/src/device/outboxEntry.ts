import type { Message } from '@/api/problem';

/** A product as an entry names it: what it takes to show it and to correct the entry, and no price. */
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
}

/** One thing of what is entered together; a quantity as exact digits. */
export interface EntryItem {
  product: EntryProduct;
  quantity: string;
  gtin: string | null;
  lot: string | null;
  expiry: string | null;
  serial: string | null;
  /** The codes of the questions that the person went past. */
  acknowledged: string[];
}

/** What was entered and not yet recorded: of one sheet, by one person, under the key that it had from the beginning. */
export interface OutboxEntry {
  key: string;
  user_id: number;
  /** For whoever signs in next here and is told whose entries wait. */
  user_name: string;
  sheet_id: number;
  /** Its place among this device's entries: given to it where it is kept, and by which they are sent. */
  seq: number;
  /** One is sent as a line, several as what is recorded together. */
  items: EntryItem[];
  staff_id: number | null;
  area_id: number | null;
  kit_id: number | null;
  /** The moment of Enter, by the server's clock. */
  occurred_at: string;
  state: 'waiting' | 'refused';
  /** How often it was sent: not once means that nobody has it. */
  tries: number;
  /** Why it was refused. */
  problem: Message[] | null;
}
