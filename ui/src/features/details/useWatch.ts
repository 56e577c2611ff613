import { useEffect, useEffectEvent } from 'react';
import { etag } from '@/api/etag';
import type { SheetView } from '@/api/generated';
import { useLazyReadSheetQuery } from '@/api/lazy';
import { problemOf } from '@/api/problem';
import { useSession } from '@/session/session';

const EVERY = 5_000;
/** An unreachable server is asked less and less often. */
const AT_MOST = 60_000;

interface Watched {
  sheet: SheetView | undefined;
  /** Something is on its way to the server from here: the list is read again anyhow. */
  busy: boolean;
  onChange: () => void;
}

/**
 * Looks every few seconds whether someone else changed the sheet, for as long as the page is seen and not covered. As long as nobody
 * did, that is a request and an answer without content.
 */
export function useWatch(watched: Watched) {
  const [look] = useLazyReadSheetQuery({ selectFromResult: () => ({}) });
  const { covered } = useSession();
  const now = useEffectEvent(() => watched);

  useEffect(() => {
    // Nobody looks, so nothing is read for anybody.
    if (covered) return;
    let timer: number | undefined;
    let wait = EVERY;
    let looking = false;
    let over = false;

    function later() {
      window.clearTimeout(timer);
      if (!over && document.visibilityState === 'visible') timer = window.setTimeout(lookNow, wait);
    }

    async function lookNow() {
      const { sheet, busy } = now();
      if (sheet && !busy && !looking) {
        looking = true;
        const { data, error } = await look({ sheetId: sheet.id, 'If-None-Match': etag(sheet) });
        looking = false;
        if (over) return;
        const isGone = error !== undefined && problemOf(error).status === 404;
        wait = error === undefined || isGone ? EVERY : Math.min(2 * wait, AT_MOST);
        // Read meanwhile, it is known already.
        const isNews = data ? data.version !== now().sheet?.version : isGone;
        if (isNews) now().onChange();
        if (isGone) return;
      }
      later();
    }

    function wake() {
      wait = EVERY;
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
  }, [look, covered]);
}
