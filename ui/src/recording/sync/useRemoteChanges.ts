import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { DetailView } from '@/api/generated';
import { useSession } from '@/session/session';
import type { OwnChanges } from './useLocalChanges';

/** Another user's change to a line of this sheet while it was open here. */
export interface Change {
  what: 'recorded' | 'edited' | 'deleted';
  detail: DetailView;
}

interface Seen {
  details: DetailView[];
  versions: Map<number, number>;
}

const seenIn = (details: DetailView[]): Seen => ({
  details,
  versions: new Map(details.map(({ id, version }) => [id, version])),
});

/** Return whether a detail comes first in a newest-first list. */
const isAbove = (one: DetailView, other: DetailView) =>
  one.created_at === other.created_at ? one.id > other.id : one.created_at > other.created_at;

/**
 * Find other users' changes in each refetched list of details.
 *
 * What the user recorded or corrected is not announced, on whichever device.
 */
export function useRemoteChanges(details: DetailView[] | undefined, own: OwnChanges) {
  const userId = useSession().user?.id;
  const seen = useRef<Seen | null>(null);
  const [changes, setChanges] = useState<Change[]>([]);
  const since = useEffectEvent((before: Seen, now: Seen) => changesBetween(before, now, own, userId));

  useEffect(() => {
    if (!details) return;
    const before = seen.current;
    seen.current = seenIn(details);
    if (!before) return;
    const found = since(before, seen.current);
    if (found.length > 0) setChanges((those) => [...those, ...found]);
  }, [details]);

  return changes;
}

function changesBetween(before: Seen, now: Seen, own: OwnChanges, userId: number | undefined): Change[] {
  const [lastBefore, lastNow] = [before.details.at(-1), now.details.at(-1)];
  const found: Change[] = [];
  /** The user's own corrections: each replaces a line, which is voided. */
  const corrected: DetailView[] = [];
  for (const detail of now.details) {
    const known = before.versions.get(detail.id);
    if (known === undefined) {
      const isOwn = own.recorded.has(detail.id) || detail.user_id === userId;
      if (isOwn && typeof detail.corrected_from === 'number') corrected.push(detail);
      // Details below the former end of the list are old; they were just not loaded.
      const isNew = !lastBefore || isAbove(detail, lastBefore);
      if (!isOwn && isNew) found.push({ what: 'recorded', detail });
    } else if (detail.version > known && own.saved.get(detail.id)?.version !== detail.version) {
      found.push({ what: 'edited', detail });
    }
  }
  for (const detail of before.details) {
    const listed = now.versions.has(detail.id) || own.removed.has(detail.id);
    // A list of a fixed length drops details at its end when new ones arrive at its top.
    const within = !lastNow || isAbove(detail, lastNow);
    const isCorrected = corrected.some(
      ({ product_id, corrected_from }) =>
        product_id === detail.product_id && corrected_from === detail.quantity,
    );
    if (!listed && within && !isCorrected) found.push({ what: 'deleted', detail });
  }
  return found;
}
