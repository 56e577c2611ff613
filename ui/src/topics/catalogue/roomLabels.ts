import type { MessageId } from '@/i18n/language';

/** Labels of a room's status, by number. */
export const roomStatusLabels: Record<string, MessageId> = {
  1: 'rooms.available',
  2: 'rooms.occupied',
  3: 'rooms.cleaning',
  4: 'rooms.outOfService',
};

/** Labels of a room's type (the patients it is for), by number. */
export const roomTypeLabels: Record<string, MessageId> = {
  1: 'rooms.single',
  2: 'rooms.double',
  3: 'rooms.shared',
  4: 'rooms.special',
};
