import { useMemo, useState } from 'react';
import type { DetailView } from '@/api/generated';
import { activityOf } from '@/outbox/outboxSlice';
import { useAppSelector } from '@/state/storeHooks';

/**
 * The changes made on this page.
 *
 * The list uses them to recognise the changes of others.
 */
export interface OwnChanges {
  /** The ids of details recorded here. */
  recorded: ReadonlySet<number>;
  /** Details saved here, shown until the refetched list contains them. */
  saved: ReadonlyMap<number, DetailView>;
  /** The ids of details deleted here, hidden until the refetched list omits them. */
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
