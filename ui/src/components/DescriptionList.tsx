import type { ReactNode } from 'react';
import classes from './DescriptionList.module.css';

/** What is known of something, each `Fact` under its name. */
export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

interface FactProps {
  name: string;
  /** Takes a line of its own. */
  wide?: boolean;
  children: ReactNode;
}

/** One thing that is known; nothing at all when it is not. */
export function DescriptionItem({ name, wide, children }: FactProps) {
  if (!children) return null;
  return (
    <div data-wide={wide || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
