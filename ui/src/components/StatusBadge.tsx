import classes from './StatusBadge.module.css';
import { type StatusName, statuses } from './statuses';

interface Props {
  is: StatusName;
  /** What it is called. */
  children: string;
}

/** A state, in its colour and in a word, with a sign that needs no colour. */
export function StatusBadge({ is, children }: Props) {
  const { tone, icon: Icon } = statuses[is];
  return (
    <span className={classes.state} data-tone={tone}>
      <Icon size={18} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </span>
  );
}
