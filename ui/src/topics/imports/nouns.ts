import type { Kind, Noun, Outcome } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

/** A store's file of what it handed out is read and compared, never imported. */
export type ImportableNoun = Exclude<Noun, 'handed_out'>;

/** What can be imported, with its name and the path of its list. */
export const nouns: Record<ImportableNoun, { name: MessageId; list: string }> = {
  products: { name: 'products.title', list: '/products' },
  patients: { name: 'patients.title', list: '/patients' },
  staff: { name: 'staff.title', list: '/staff' },
  areas: { name: 'areas.title', list: '/areas' },
  rooms: { name: 'rooms.title', list: '/rooms' },
  users: { name: 'users.title', list: '/users' },
  consumption: { name: 'imports.consumption', list: '/consumption-sheet-details' },
};

/**
 * Names of the additional records that an import creates.
 *
 * The keys are the server's names.
 */
export const kinds: Record<string, MessageId> = {
  areas: 'areas.title',
  categories: 'categories.title',
  products: 'products.title',
  rooms: 'rooms.title',
  patients: 'patients.title',
  staff: 'staff.title',
  users: 'users.title',
  sheets: 'sheets.title',
};

/**
 * A view of the rows.
 *
 * It is one outcome, or all rows with warnings regardless of their outcome.
 */
export type View = Outcome | 'warned';

/** The names of the views, those that need attention first. */
export const views: Record<View, MessageId> = {
  refused: 'imports.refused',
  warned: 'imports.warned',
  created: 'imports.created',
  changed: 'imports.changed',
  unchanged: 'imports.unchanged',
  left_out: 'imports.leftOut',
};

/** Return whether the value shown may differ from the text in the file. */
export const isInterpreted = (kind: Kind) => kind !== 'text' && kind !== 'code';
