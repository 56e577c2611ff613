import { useSearchParams } from 'react-router-dom';

export interface ListState {
  page: number;
  /** A field, `-` before it for descending. */
  sort: string | undefined;
  q: string | undefined;
  /** The first and the last day that the list is about. */
  from: string | undefined;
  to: string | undefined;
  /** What else narrows the list, such as `filter('area')`. */
  filter: (name: string) => string | undefined;
  /** The same where it names one thing by its id. */
  filterId: (name: string) => number | undefined;
  /** Where this page begins in a list that is not counted to its end. */
  cursor: string | undefined;
  /** The address of this list with something changed; changing anything but the page goes back to page 1. */
  hrefWith: (change: Partial<Record<string, string>>) => string;
  search: (text: string) => void;
  /** Go to what `hrefWith` names; Back leaves the list, as after a search. */
  narrow: (change: Partial<Record<string, string>>) => void;
}

const idIn = (text: string | null) => (text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);

const dayIn = (text: string | null) =>
  text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;

/** Page, order and search of a list live in the address: back, reload and a shared link keep them. */
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
