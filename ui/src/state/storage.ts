/*
 * What this site stores in the browser as text. IndexedDB is in device/database.ts.
 *
 * A browser may block its storage, or have no room. A value then lasts as long as the page.
 */

function storageOf(name: 'localStorage' | 'sessionStorage') {
  const memory = new Map<string, string>();
  /** Return undefined if the browser refuses. Even reading the property throws if it is blocked. */
  function attempt<Answer>(act: (storage: Storage) => Answer) {
    try {
      return act(window[name]);
    } catch {
      return undefined;
    }
  }
  const getItem = (key: string) => attempt((stored) => stored.getItem(key)) ?? memory.get(key) ?? null;
  function removeItem(key: string) {
    memory.delete(key);
    attempt((stored) => stored.removeItem(key));
  }
  return {
    getItem,
    removeItem,
    setItem(key: string, value: string) {
      if (attempt((stored) => [stored.setItem(key, value)])) memory.delete(key);
      else {
        // The former value must not come back.
        removeItem(key);
        memory.set(key, value);
      }
    },
    keys: () => [...new Set([...(attempt(Object.keys) ?? []), ...memory.keys()])],
    /** Return the value that `JSON.stringify` wrote; undefined if there is none, or none that can be read. */
    readJson<Value>(key: string): Value | undefined {
      try {
        return JSON.parse(getItem(key) ?? '') ?? undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** For all tabs of this browser, until its data are deleted. */
export const deviceStorage = storageOf('localStorage');
/** For this tab, until it is closed. */
export const tabStorage = storageOf('sessionStorage');
