import { roomTypeLabels } from '@/components/roomLabels';
import { StatusBadge } from '@/components/StatusBadge';
import { useText } from '@/i18n/useText';
import { roomStates } from './roomStates';

/** A room's status, in a word, its colour and a sign. */
export function RoomState({ value }: { value: number }) {
  const t = useText();
  const status = roomStates.find((one) => one.value === value);
  return status ? <StatusBadge is={status.state}>{t(status.label)}</StatusBadge> : null;
}

/** A room's type, in a word. */
export function RoomType({ value }: { value: number }) {
  const t = useText();
  const word = roomTypeLabels[value];
  return word ? <span>{t(word)}</span> : null;
}
