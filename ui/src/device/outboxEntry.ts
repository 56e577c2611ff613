/** One thing of what is entered together; a quantity as exact digits. */
export interface EntryItem {
  product_id: number;
  product_name: string;
  quantity: string;
  gtin: string | null;
  lot: string | null;
  expiry: string | null;
  serial: string | null;
  acknowledged: string[];
}

/** What was entered and not yet recorded: of one sheet, by one person, under the key that it had from the beginning. */
export interface OutboxEntry {
  key: string;
  user_id: number;
  /** For whoever signs in next here and is told whose entries wait. */
  user_name: string;
  sheet_id: number;
  /** Its place among this device's entries. */
  seq: number;
  items: EntryItem[];
  staff_id: number | null;
  area_id: number | null;
  kit_id: number | null;
  /** By the server's clock, with its offset from UTC. */
  occurred_at: string;
  state: 'waiting' | 'refused';
  tries: number;
  problem: string | null;
}
