import { useEffect, useEffectEvent } from 'react';

type Listener = (event: KeyboardEvent) => void;

let listener: Listener | null = null;

/** Pass a key of the locked screen, which reaches no other listener. */
export const passLockKey: Listener = (event) => listener?.(event);

/** Listen for keys on a screen for unlocking, locked or signed out. */
export function useLockKeys(onKey: Listener) {
  const hear = useEffectEvent(onKey);
  useEffect(() => {
    const own: Listener = (event) => hear(event);
    listener = own;
    // The lock screen stops its keys before this one hears them.
    window.addEventListener('keydown', own, { capture: true });
    return () => {
      if (listener === own) listener = null;
      window.removeEventListener('keydown', own, { capture: true });
    };
  }, []);
}
