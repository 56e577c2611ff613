import { useLayoutEffect, useSyncExternalStore } from 'react';

/** What the page is about: the thing itself, or the thing of which it is a part, such as its form or its history. */
interface PageName {
  name: string;
  isPart: boolean;
}

const listeners = new Set<() => void>();
let current: PageName | null = null;

function notify(next: PageName | null) {
  current = next;
  for (const listener of listeners) listener();
}

/** Names the one thing that this page shows, or is a part of: the head of the page says it, once it is known. */
export function usePageTitle(name: string | undefined, isPart = false) {
  useLayoutEffect(() => {
    if (!name) return;
    const own = { name, isPart };
    notify(own);
    return () => {
      // The page that comes may have said its own before this one has gone.
      if (current === own) notify(null);
    };
  }, [name, isPart]);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const usePageName = () => useSyncExternalStore(subscribe, () => current);
