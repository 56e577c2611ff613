import { useLayoutEffect, useSyncExternalStore } from 'react';

/**
 * The name of the page's record.
 *
 * For a part of a record, such as its form or history, `isPart` is true.
 */
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

/** Set the title of the page, once the name of its record is known. */
export function usePageTitle(name: string | undefined, isPart = false) {
  useLayoutEffect(() => {
    if (!name) return;
    const own = { name, isPart };
    notify(own);
    return () => {
      // The next page may have set its title before this one unmounted.
      if (current === own) notify(null);
    };
  }, [name, isPart]);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const usePageName = () => useSyncExternalStore(subscribe, () => current);
