import type { ReactNode } from 'react';
import classes from './ListToolbar.module.css';

/** Above every list: search on the left, what one can do on the right; on a phone one above the other. */
export function ListToolbar({ search, children }: { search: ReactNode; children?: ReactNode }) {
  return (
    <div className={classes.toolbar}>
      <div className={classes.search}>{search}</div>
      {children}
    </div>
  );
}
