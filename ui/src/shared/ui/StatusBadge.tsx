import classes from './StatusBadge.module.css';
import { type StatusName, statuses } from './statuses';

interface Props {
  is: StatusName;
  /** The name of the status. */
  children: string;
}

/** A status as colour, word and icon, readable without colours. */
export function StatusBadge({ is, children }: Props) {
  const { tone, icon: Icon } = statuses[is];
  return (
    <span className={classes.state} data-tone={tone}>
      <Icon size={18} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </span>
  );
}
