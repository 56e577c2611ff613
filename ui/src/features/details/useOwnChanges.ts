import { useMemo, useRef, useState } from 'react';
import type { DetailView } from '@/api/generated';

/** What this person did on this page, by which the list is told from what others did. */
export interface OwnChanges {
  /** The ids of what was recorded here; one that is added is no reason to draw anything. */
  recorded: Set<number>;
  /** What was saved here, shown until the list says the same. */
  saved: ReadonlyMap<number, DetailView>;
  /** The ids of what was deleted here, hidden until the list does without. */
  removed: ReadonlySet<number>;
  save: (detail: DetailView) => void;
  remove: (id: number) => void;
}

export function useOwnChanges(): OwnChanges {
  const { current: recorded } = useRef(new Set<number>());
  const [saved, setSaved] = useState<ReadonlyMap<number, DetailView>>(new Map());
  const [removed, setRemoved] = useState<ReadonlySet<number>>(new Set());
  return useMemo(
    () => ({
      recorded,
      saved,
      removed,
      save: (detail) => setSaved((those) => new Map(those).set(detail.id, detail)),
      remove: (id) => setRemoved((those) => new Set(those).add(id)),
    }),
    [recorded, saved, removed],
  );
}
