import { roomTypeWords } from '@/components/roomWords';
import { State } from '@/components/State';
import { useText } from '@/i18n/useText';
import { roomStates } from './roomStates';

/** A room's status, in a word, its colour and a sign. */
export function RoomState({ value }: { value: number }) {
  const t = useText();
  const status = roomStates.find((one) => one.value === value);
  return status ? <State is={status.state}>{t(status.label)}</State> : null;
}

/** A room's type, in a word. */
export function RoomType({ value }: { value: number }) {
  const t = useText();
  const word = roomTypeWords[value];
  return word ? t(word) : null;
}
