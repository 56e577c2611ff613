import classes from './RoomLabel.module.css';
import { splitRoomName } from './roomName';

/** A number with more characters is written smaller. */
const MAX_LARGE = 6;

/** The room's number large, its kind below. What is heard, copied and searched for is its name. */
export function RoomLabel({ name, className }: { name: string; className?: string }) {
  const { kind, number } = splitRoomName(name);
  return (
    <span className={`${classes.room} ${className ?? ''}`}>
      {kind && <span className={classes.kind}>{kind}</span>}{' '}
      <span className={classes.number} data-long={number.length > MAX_LARGE || undefined}>
        {number}
      </span>
    </span>
  );
}
