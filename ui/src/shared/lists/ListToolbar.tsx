import type { ReactNode } from 'react';
import { AllFilters, FilterChips } from './FilterChips';
import classes from './ListToolbar.module.css';
import type { Filter } from './listFilters';
import type { ListState } from './useListState';

/** Up to this many filters have a chip each; with more, only the active ones do. */
const FEW = 4;

interface Props {
  list: ListState;
  search?: ReactNode;
  /** Other controls beside the search, or below it on a phone. */
  beside?: ReactNode;
  filters?: Filter[];
  /** Further actions, in an overflow menu. */
  more?: ReactNode;
  /** The main action. */
  primary?: ReactNode;
}

/** Toolbar of a list: search, filters, further actions, main action. */
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
