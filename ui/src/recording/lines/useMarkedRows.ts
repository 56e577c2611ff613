import { useCallback, useMemo, useState } from 'react';

/** Rows that are marked, to act on several lines at once. */
export interface MarkedRows {
  ids: ReadonlySet<number>;
  /** Toggle a row's mark. */
  toggle: (id: number) => void;
  /** Mark all rows from the last marked one to this one. */
  extendTo: (id: number) => void;
  mark: (ids: number[]) => void;
  clear: () => void;
}

/**
 * Manage the marked rows.
 *
 * `listed` are the ids of all rows in the order of the list.
 */
export function useMarkedRows(listed: number[]): MarkedRows {
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const [anchor, setAnchor] = useState<number | null>(null);
  const ids = useMemo(() => new Set(listed.filter((id) => marked.has(id))), [listed, marked]);

  const toggle = useCallback((id: number) => {
    setMarked((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
    setAnchor(id);
  }, []);
  const mark = useCallback((more: number[]) => setMarked((before) => new Set([...before, ...more])), []);
  const clear = useCallback(() => setMarked(new Set()), []);
  const extendTo = useCallback(
    (id: number) => {
      const ends = [listed.indexOf(anchor ?? id), listed.indexOf(id)].filter((place) => place >= 0);
      mark(listed.slice(Math.min(...ends), Math.max(...ends) + 1));
      if (anchor === null) setAnchor(id);
    },
    [listed, anchor, mark],
  );
  return useMemo(() => ({ ids, toggle, extendTo, mark, clear }), [ids, toggle, extendTo, mark, clear]);
}
