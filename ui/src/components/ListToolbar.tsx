import type { ReactNode } from 'react';
import { AllFilters, FilterChips } from './FilterChips';
import classes from './ListToolbar.module.css';
import type { Filter } from './listFilters';
import type { ListState } from './useListState';

/** So many filters have their chips beside the search; of more only those in force. */
const FEW = 4;

interface Props {
  list: ListState;
  search?: ReactNode;
  /** What else is asked of the list, beside the search; on a phone beneath it. */
  beside?: ReactNode;
  filters?: Filter[];
  /** What else there is to do, behind three dots. */
  more?: ReactNode;
  /** The one thing to do. */
  primary?: ReactNode;
}

/** Above every list, in one line: search, what it is narrowed to, what else there is to do, the one thing to do. */
export function ListToolbar({ list, search, beside, filters = [], more, primary }: Props) {
  const chosen = filters.filter(({ field }) => field);
  return (
    <div className={classes.toolbar} data-few={chosen.length <= FEW || undefined}>
      {search && <div className={classes.search}>{search}</div>}
      {beside && <div className={classes.beside}>{beside}</div>}
      {chosen.length > 0 && <AllFilters list={list} filters={filters} />}
      {filters.length > 0 && <FilterChips list={list} filters={filters} />}
      <div className={classes.actions}>
        {more}
        {primary}
      </div>
    </div>
  );
}
