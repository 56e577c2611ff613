import type { UnusualLineView, WorklistView } from '@/api/generated';
import { aSheetAtWork } from './overview';

/** A worklist with nothing in it, apart from `change`. */
export const aWorklist = (change: Partial<WorklistView> = {}): WorklistView => ({
  count: Object.keys(change).length,
  max_per_kind: 50,
  late_entries: [],
  held_messages: 0,
  discharges: [],
  unusual_lines: [],
  unusual_sheets: [],
  unlisted_items: [],
  open_forms: 0,
  recalled_uses: [],
  unknown_codes: [],
  device_outboxes: [],
  expiring_keys: [],
  products_without_price: 0,
  ...change,
});

export const anUnusualLine = (change: Partial<UnusualLineView> = {}): UnusualLineView => ({
  kind: 'quantity_far_out',
  detail_id: 41,
  version: 3,
  consumption_sheet_id: 4,
  sheet: aSheetAtWork(),
  product: { id: 8, name: 'Guante de nitrilo', code: null, unit: 'par' },
  quantity: 60,
  usual_quantity: 6,
  latest_quantities: [60, 6, 5, 6],
  at: '2026-11-20T14:05:00Z',
  by: 'Rosa Núñez',
  ...change,
});
