import type { SheetView } from '@/api/generated';

const sheet: SheetView = {
  id: 1,
  version: 1,
  diagnosis: 'Apendicitis aguda',
  doctor: 'Dra. Paula Cisneros',
  patient_id: 11,
  patient: { id: 11, name: 'María', first_surname: 'Quispe', second_surname: 'Mamani' },
  room_id: 5,
  room: { id: 5, name: '201-A', area_id: 2 },
  admission_date: '2026-11-20',
  closed: false,
  deleted_at: null,
  consumptions: [],
  total: 1234.5,
};

export const aSheet = (change: Partial<SheetView> = {}): SheetView => ({ ...sheet, ...change });

/** One page of a list, like the server's response. */
export const aPage = <Item>(items: Item[], meta: { page?: number; total?: number } = {}) => {
  const total = meta.total ?? items.length;
  return { items, meta: { page: meta.page ?? 1, limit: 25, total, pages: Math.ceil(total / 25) } };
};
