import classes from './State.module.css';
import { type StateName, states } from './states';

interface Props {
  is: StateName;
  /** What it is called. */
  children: string;
}

/** A state, in its colour and in a word, with a sign that needs no colour. */
export function State({ is, children }: Props) {
  const { tone, icon: Icon } = states[is];
  return (
    <span className={classes.state} data-tone={tone}>
      <Icon size={18} stroke={1.75} aria-hidden />
      {children}
    </span>
  );
}
