import type { Icon } from '@tabler/icons-react';
import IconBarrierBlock from '@tabler/icons-react/dist/esm/icons/IconBarrierBlock.mjs';
import IconBed from '@tabler/icons-react/dist/esm/icons/IconBed.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconSpray from '@tabler/icons-react/dist/esm/icons/IconSpray.mjs';
import { roomTypeWords } from '@/components/roomWords';
import type { MessageId } from '@/i18n/language';

/** What a room's status can be: each by its number, its word, and a sign that needs no colour. */
export const roomStates: { value: number; label: MessageId; icon: Icon }[] = [
  { value: 1, label: 'rooms.available', icon: IconCircleCheck },
  { value: 2, label: 'rooms.occupied', icon: IconBed },
  { value: 3, label: 'rooms.cleaning', icon: IconSpray },
  { value: 4, label: 'rooms.outOfService', icon: IconBarrierBlock },
];

/** What its type can be. */
export const roomTypes = Object.entries(roomTypeWords).map(([value, label]) => ({
  value: Number(value),
  label,
}));
