import type { SheetAtWorkView } from '@/api/generated';

const sheet: SheetAtWorkView = {
  id: 4,
  patient: { id: 11, name: 'María', first_surname: 'Quispe', second_surname: 'Mamani' },
  room: { id: 5, name: '201-A', area_id: 2 },
  admission_date: '2026-11-18',
  days_open: 3,
  details: 24,
  last_recorded_at: '2026-11-21T07:30:00Z',
};

export const aSheetAtWork = (change: Partial<SheetAtWorkView> = {}): SheetAtWorkView => ({
  ...sheet,
  ...change,
});
