import type { ReactNode } from 'react';
import classes from './StatusLine.module.css';

interface Props {
  tone?: 'amber' | 'red';
  children: ReactNode;
}

/**
 * A line of text about the current recording, with its buttons.
 *
 * A red one is announced at once.
 */
export function StatusLine({ tone, children }: Props) {
  return (
    <div className={classes.statusLine} data-tone={tone} role={tone === 'red' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
