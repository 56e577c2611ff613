import { useEffect, useEffectEvent, useRef } from 'react';
import type { DetailView, SheetView } from '@/api/generated';
import { useLazyReadSheetVersionQuery } from '@/api/lazy';
import { problemOf } from '@/api/problem';
import { useSession } from '@/session/session';
import { jittered, pollInterval } from './pollInterval';

interface PolledSheet {
  sheet: SheetView | undefined;
  details: DetailView[] | undefined;
  /** Something is on its way to the server from here: the list is read again anyhow. */
  busy: boolean;
  onChange: () => void;
}

/**
 * Looks every few seconds whether someone else changed the sheet, for as long as the page is seen and not locked. As
 * long as nobody did, that is a request and an answer without content.
 */
export function useSheetPolling(polled: PolledSheet) {
  const [look] = useLazyReadSheetVersionQuery({ selectFromResult: () => ({}) });
  const { locked, user } = useSession();
  const now = useEffectEvent(() => polled);
  const version = polled.sheet?.version;
  const changedAt = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it changes.
  useEffect(() => {
    changedAt.current = Date.now();
  }, [version]);
  const interval = useEffectEvent((misses: number) => {
    const byOther = polled.details?.find(({ user_id }) => user_id !== user?.id);
    const othersAt = byOther && Date.parse(byOther.created_at);
    return jittered(pollInterval({ now: Date.now(), othersAt, changedAt: changedAt.current, misses }));
  });

  useEffect(() => {
    // Nobody looks, so nothing is read for anybody.
    if (locked) return;
    let timer: number | undefined;
    let misses = 0;
    let looking = false;
    let over = false;

    function later() {
      window.clearTimeout(timer);
      if (!over && document.visibilityState === 'visible')
        timer = window.setTimeout(lookNow, interval(misses));
    }

    async function lookNow() {
      const { sheet, busy } = now();
      if (sheet && !busy && !looking) {
        looking = true;
        const { data, error } = await look({ sheetId: sheet.id, version: sheet.version });
        looking = false;
        if (over) return;
        const isGone = error !== undefined && problemOf(error).status === 404;
        misses = error === undefined || isGone ? 0 : misses + 1;
        // Read meanwhile, it is known already.
        const isNews = data ? data.version !== now().sheet?.version : isGone;
        if (isNews) now().onChange();
        if (isGone) return;
      }
      later();
    }

    function wake() {
      misses = 0;
      window.clearTimeout(timer);
      if (document.visibilityState === 'visible') lookNow();
    }

    later();
    document.addEventListener('visibilitychange', wake);
    window.addEventListener('online', wake);
    return () => {
      over = true;
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', wake);
      window.removeEventListener('online', wake);
    };
  }, [look, locked]);
}
