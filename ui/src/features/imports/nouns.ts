import type { Kind, Noun, Outcome } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

/** What can be brought in, and where it is found afterwards. */
export const nouns: Record<Noun, { name: MessageId; list: string }> = {
  products: { name: 'products.title', list: '/products' },
  patients: { name: 'patients.title', list: '/patients' },
  staff: { name: 'staff.title', list: '/staff' },
  areas: { name: 'areas.title', list: '/areas' },
  rooms: { name: 'rooms.title', list: '/rooms' },
  consumption: { name: 'imports.consumption', list: '/consumption-sheet-details' },
};

/** What is made on the way, by the server's names. */
export const kinds: Record<string, MessageId> = {
  areas: 'areas.title',
  categories: 'categories.title',
  products: 'products.title',
  rooms: 'rooms.title',
  patients: 'patients.title',
  staff: 'staff.title',
  sheets: 'sheets.title',
};

/** What the rows are looked at by: by what becomes of them, or those that were warned of, whatever becomes of them. */
export type View = Outcome | 'warned';

/** What needs a look comes first. */
export const views: Record<View, MessageId> = {
  refused: 'imports.refused',
  warned: 'imports.warned',
  created: 'imports.created',
  changed: 'imports.changed',
  unchanged: 'imports.unchanged',
  left_out: 'imports.leftOut',
};

/** Of these one sees more than what stands in the file. */
export const isInterpreted = (kind: Kind) => kind !== 'text' && kind !== 'code';
