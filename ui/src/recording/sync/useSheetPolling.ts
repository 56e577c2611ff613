import { useEffect, useEffectEvent, useRef } from 'react';
import type { DetailView } from '@/api/generated';
import { useLazyReadSheetVersionQuery } from '@/api/lazy';
import { toProblem } from '@/api/problem';
import { useSession } from '@/session/session';
import type { Subject } from '@/shared/records/subject';
import { jittered, pollInterval } from './pollInterval';

interface PolledSheet {
  sheet: Subject | undefined;
  details: DetailView[] | undefined;
  /** Whether a request from this page is pending: the list is refetched afterwards in any case. */
  busy: boolean;
  onChange: () => void;
}

/**
 * Poll for other users' changes to the sheet.
 *
 * Polling stops while the page is hidden or locked. If nothing changed, each poll is one request with an empty
 * answer.
 */
export function useSheetPolling(polled: PolledSheet) {
  const [look] = useLazyReadSheetVersionQuery({ selectFromResult: () => ({}) });
  const { locked, user } = useSession();
  const now = useEffectEvent(() => polled);
  const version = polled.sheet?.version;
  const changedAt = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each change of the version.
  useEffect(() => {
    changedAt.current = Date.now();
  }, [version]);
  const interval = useEffectEvent((misses: number) => {
    const byOther = polled.details?.find(({ user_id }) => user_id !== user?.id);
    const othersAt = byOther && Date.parse(byOther.created_at);
    return jittered(pollInterval({ now: Date.now(), othersAt, changedAt: changedAt.current, misses }));
  });

  useEffect(() => {
    // A locked screen shows nothing, so it needs no data.
    if (locked) return;
    let timer: number | undefined;
    let misses = 0;
    let looking = false;
    let over = false;

    function later() {
      window.clearTimeout(timer);
      if (!over && document.visibilityState === 'visible')
        timer = window.setTimeout(pollNow, interval(misses));
    }

    async function pollNow() {
      const { sheet, busy } = now();
      if (sheet && !busy && !looking) {
        looking = true;
        const { data, error } = await look({ sheetId: sheet.id, version: sheet.version });
        looking = false;
        if (over) return;
        const isGone = error !== undefined && toProblem(error).status === 404;
        misses = error === undefined || isGone ? 0 : misses + 1;
        // A refetch in the meantime has already delivered this version.
        const isNews = data ? data.version !== now().sheet?.version : isGone;
        if (isNews) now().onChange();
        if (isGone) return;
      }
      later();
    }

    function onVisible() {
      misses = 0;
      window.clearTimeout(timer);
      if (document.visibilityState === 'visible') pollNow();
    }

    later();
    document.addEventListener('visibilitychange', onVisible);
    window.addEventListener('online', onVisible);
    return () => {
      over = true;
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
      window.removeEventListener('online', onVisible);
    };
  }, [look, locked]);
}
