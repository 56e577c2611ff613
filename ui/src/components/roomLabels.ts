import type { MessageId } from '@/i18n/language';

/** What a room's status is called, by its number. */
export const roomStatusLabels: Record<string, MessageId> = {
  1: 'rooms.available',
  2: 'rooms.occupied',
  3: 'rooms.cleaning',
  4: 'rooms.outOfService',
};

/** For whom a room is made: what its type is called, by its number. */
export const roomTypeLabels: Record<string, MessageId> = {
  1: 'rooms.single',
  2: 'rooms.double',
  3: 'rooms.shared',
  4: 'rooms.special',
};
