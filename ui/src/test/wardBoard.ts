import type { WardRoomView, WardSheetView, WardView } from '@/api/generated';

const surgery = { id: 2, name: 'Cirugía' };

export const aWardSheet = (change: Partial<WardSheetView> = {}): WardSheetView => ({
  id: 4,
  patient: {
    id: 11,
    name: 'María',
    first_surname: 'Quispe',
    second_surname: 'Mamani',
    record_number: 'HC-104',
    date_of_birth: '1985-02-01',
  },
  admission_date: '2026-11-18',
  lines_today: 3,
  lines_by_day: [0, 0, 0, 9, 8, 4, 3],
  last_recorded_at: '2026-11-21T11:35:00Z',
  discharge_proposed: false,
  unlisted_items: 0,
  mine: false,
  ...change,
});

export const aWardRoom = (change: Partial<WardRoomView> = {}): WardRoomView => ({
  id: 5,
  name: '201-A',
  status: 2,
  area: surgery,
  sheets: [],
  ...change,
});

/** The rooms of a hospital with two areas: one, with a patient. */
export const aWard = (change: Partial<WardView> = {}): WardView => ({
  day: '2026-11-21',
  areas: [surgery, { id: 3, name: 'Pediatría' }],
  rooms: [aWardRoom({ sheets: [aWardSheet()] })],
  more_rooms: false,
  ...change,
});
