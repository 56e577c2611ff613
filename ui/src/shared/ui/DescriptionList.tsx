import type { ReactNode } from 'react';
import classes from './DescriptionList.module.css';

/** List of facts, each `DescriptionItem` under its name. */
export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

interface FactProps {
  name: string;
  /** Takes the full width. */
  wide?: boolean;
  children: ReactNode;
}

/** A single fact; nothing if it is empty. */
export function DescriptionItem({ name, wide, children }: FactProps) {
  if (!children) return null;
  return (
    <div data-wide={wide || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
