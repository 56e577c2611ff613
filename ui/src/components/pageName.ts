import { useLayoutEffect, useSyncExternalStore } from 'react';

/** What the page is about: the thing itself, or the thing whose form it is. */
interface PageName {
  name: string;
  isForm: boolean;
}

const listeners = new Set<() => void>();
let current: PageName | null = null;

function tell(next: PageName | null) {
  current = next;
  for (const listener of listeners) listener();
}

/** Names the one thing that this page shows, or, with `isForm`, changes: the head of the page says it. */
export function useNamePage(name: string, isForm = false) {
  useLayoutEffect(() => {
    const own = { name, isForm };
    tell(own);
    return () => {
      // The page that comes may have said its own before this one has gone.
      if (current === own) tell(null);
    };
  }, [name, isForm]);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const usePageName = () => useSyncExternalStore(subscribe, () => current);
