import { useEffect, useEffectEvent, useRef } from 'react';
import type { DetailView, SheetView } from '@/api/generated';
import { useLazyReadSheetVersionQuery } from '@/api/lazy';
import { toProblem } from '@/api/problem';
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
        // Read meanwhile, it is known already.
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
