import { useSearchParams } from 'react-router-dom';

export interface ListState {
  page: number;
  /** A field, `-` before it for descending. */
  sort: string | undefined;
  q: string | undefined;
  /** The address of this list with something changed; changing anything but the page goes back to page 1. */
  hrefWith: (change: Partial<Record<string, string>>) => string;
  search: (text: string) => void;
}

/** Page, order and search of a list live in the address: back, reload and a shared link keep them. */
export function useListState(): ListState {
  const [params, setParams] = useSearchParams();

  function changed(change: Partial<Record<string, string>>) {
    const next = new URLSearchParams(params);
    next.delete('page');
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
    hrefWith: (change) => `?${changed(change)}`,
    search: (text) => setParams(changed({ q: text.trim() }), { replace: true }),
  };
}
