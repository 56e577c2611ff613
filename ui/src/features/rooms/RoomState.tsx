import { roomTypeWords } from '@/components/roomWords';
import { useText } from '@/i18n/useText';
import classes from './RoomState.module.css';
import { roomStates } from './roomStates';

/** A room's status, in a word and a sign. */
export function RoomState({ value }: { value: number }) {
  const t = useText();
  const state = roomStates.find((one) => one.value === value);
  if (!state) return null;
  const { icon: Icon, label } = state;
  return (
    <span className={classes.state} data-state={value}>
      <Icon size={20} stroke={1.75} aria-hidden />
      {t(label)}
    </span>
  );
}

/** A room's type, in a word. */
export function RoomType({ value }: { value: number }) {
  const t = useText();
  const word = roomTypeWords[value];
  return word ? t(word) : null;
}
