import type { MessageId } from '@/i18n/language';
import type { StatusName } from '@/shared/ui/statuses';
import { roomTypeLabels } from '../roomLabels';

/** The statuses of a room, with number and name. */
export const roomStates: { value: number; label: MessageId; state: StatusName }[] = [
  { value: 1, label: 'rooms.available', state: 'room.available' },
  { value: 2, label: 'rooms.occupied', state: 'room.occupied' },
  { value: 3, label: 'rooms.cleaning', state: 'room.cleaning' },
  { value: 4, label: 'rooms.outOfService', state: 'room.outOfService' },
];

/** The types of a room. */
export const roomTypes = Object.entries(roomTypeLabels).map(([value, label]) => ({
  value: Number(value),
  label,
}));
