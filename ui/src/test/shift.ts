import type { NoticeView, ShiftSheetView, ShiftView } from '@/api/generated';

const gauze = { id: 8, name: 'Gasa 10 × 10', code: null, unit: null };
const ofelia = { id: 11, name: 'Ofelia', first_surname: 'Zamudio', second_surname: null };

export const aNotice = (change: Partial<NoticeView> = {}): NoticeView => ({
  id: 1,
  kind: 'quantity_corrected',
  at: '2026-11-21T11:00:00Z',
  by: 'Marta Torres',
  seen_at: null,
  sheet: { id: 4, closed: false, patient: ofelia, room: '202' },
  moved_from: null,
  detail_id: 41,
  product: gauze,
  quantity: 11,
  new_product: gauze,
  new_quantity: 1,
  ...change,
});

export const aShiftSheet = (change: Partial<ShiftSheetView> = {}): ShiftSheetView => ({
  id: 4,
  closed: false,
  patient: { ...ofelia, record_number: 'HC-104', date_of_birth: '1955-02-01' },
  room: '202',
  lines: 12,
  units: 34.5,
  last_recorded_at: '2026-11-21T11:35:00Z',
  ...change,
});

/** A shift with nothing in it, apart from `change`. */
export const aShift = (change: Partial<ShiftView> = {}): ShiftView => ({
  since: '2026-11-21T06:00:00Z',
  until: null,
  shifts: [
    { name: '06:00–14:00', since: '2026-11-21T06:00:00Z', until: '2026-11-21T14:00:00Z' },
    { name: '22:00–06:00', since: '2026-11-20T22:00:00Z', until: '2026-11-21T06:00:00Z' },
  ],
  sheets: [],
  unlisted_items: [],
  notices: [],
  ...change,
});
