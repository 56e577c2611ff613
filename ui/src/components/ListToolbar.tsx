import type { ReactNode } from 'react';
import classes from './ListToolbar.module.css';

interface Props {
  search?: ReactNode;
  filters?: ReactNode;
  actions?: ReactNode;
}

/** Above every list: search and filters on the left, what one can do on the right; on a phone one above the other. */
export function ListToolbar({ search, filters, actions }: Props) {
  return (
    <div className={classes.toolbar}>
      {search && <div className={classes.search}>{search}</div>}
      {filters && <div className={classes.filters}>{filters}</div>}
      <div className={classes.actions}>{actions}</div>
    </div>
  );
}
