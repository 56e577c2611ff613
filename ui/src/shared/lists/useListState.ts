import { useSearchParams } from 'react-router-dom';

export interface ListState {
  page: number;
  /** A field, with `-` before it for descending. */
  sort: string | undefined;
  q: string | undefined;
  /** The first and the last day of the list. */
  from: string | undefined;
  to: string | undefined;
  /** Another filter, such as `filter('area')`. */
  filter: (name: string) => string | undefined;
  /** A filter that is an id. */
  filterId: (name: string) => number | undefined;
  /** Where this page begins, in a list without an exact total. */
  cursor: string | undefined;
  /** Link to this list with changes. Any change except of the page goes back to page 1. */
  hrefWith: (change: Partial<Record<string, string>>) => string;
  search: (text: string) => void;
  /** Apply the changes without a history entry, as after a search: Back leaves the list. */
  narrow: (change: Partial<Record<string, string>>) => void;
}

const idIn = (text: string | null) => (text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);

const dayIn = (text: string | null) =>
  text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;

/**
 * Page, order, search and filters of a list, kept in the address.
 *
 * So Back, a reload and shared links preserve them.
 */
export function useListState(): ListState {
  const [params, setParams] = useSearchParams();

  function changed(change: Partial<Record<string, string>>) {
    const next = new URLSearchParams(params);
    next.delete('page');
    next.delete('cursor');
    for (const [name, value] of Object.entries(change)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    return next;
  }

  return {
    page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
    sort: params.get('sort') ?? undefined,
    q: params.get('q') ?? undefined,
    from: dayIn(params.get('from')),
    to: dayIn(params.get('to')),
    filter: (name) => params.get(name) || undefined,
    filterId: (name) => idIn(params.get(name)),
    cursor: params.get('cursor') ?? undefined,
    hrefWith: (change) => `?${changed(change)}`,
    narrow: (change) => setParams(changed(change), { replace: true }),
    search: (text) => setParams(changed({ q: text.trim() }), { replace: true }),
  };
}
