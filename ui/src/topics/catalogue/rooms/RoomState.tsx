import { useText } from '@/i18n/useText';
import { StatusBadge } from '@/shared/ui/StatusBadge';
import { roomTypeLabels } from '../roomLabels';
import { roomStates } from './roomStates';

/** Show a room's status as a word with a colour and an icon. */
export function RoomState({ value }: { value: number }) {
  const t = useText();
  const status = roomStates.find((one) => one.value === value);
  return status ? <StatusBadge is={status.state}>{t(status.label)}</StatusBadge> : null;
}

/** Show a room's type as a word. */
export function RoomType({ value }: { value: number }) {
  const t = useText();
  const word = roomTypeLabels[value];
  return word ? <span>{t(word)}</span> : null;
}
