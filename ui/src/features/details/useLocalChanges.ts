import { useMemo, useState } from 'react';
import type { DetailView } from '@/api/generated';
import { activityOf } from '@/outbox/outboxSlice';
import { useAppSelector } from '@/storeHooks';

/** What this person did on this page, by which the list is told from what others did. */
export interface OwnChanges {
  /** The ids of what was recorded here. */
  recorded: ReadonlySet<number>;
  /** What was saved here, shown until the list says the same. */
  saved: ReadonlyMap<number, DetailView>;
  /** The ids of what was deleted here, hidden until the list does without. */
  removed: ReadonlySet<number>;
  save: (detail: DetailView) => void;
  remove: (id: number) => void;
}

export function useLocalChanges(sheetId: number): OwnChanges {
  const ids = useAppSelector((state) => activityOf(state, sheetId).recordedIds);
  const [saved, setSaved] = useState<ReadonlyMap<number, DetailView>>(new Map());
  const [removed, setRemoved] = useState<ReadonlySet<number>>(new Set());
  return useMemo(
    () => ({
      recorded: new Set(ids),
      saved,
      removed,
      save: (detail) => setSaved((those) => new Map(those).set(detail.id, detail)),
      remove: (id) => setRemoved((those) => new Set(those).add(id)),
    }),
    [ids, saved, removed],
  );
}
