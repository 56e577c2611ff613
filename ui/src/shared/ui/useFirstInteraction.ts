import { useSyncExternalStore } from 'react';

const FIRST_INTERACTIONS = ['keydown', 'pointerdown', 'input'] as const;

const listeners = new Set<() => void>();
let touched = false;

/** Load now what the first touch would load, as if it had happened. */
export function touch() {
  for (const interaction of FIRST_INTERACTIONS) window.removeEventListener(interaction, touch, true);
  // Wait until React has handled the input: a render in between would empty the field.
  window.setTimeout(() => {
    touched = true;
    for (const listener of listeners) listener();
  });
}

for (const interaction of FIRST_INTERACTIONS) window.addEventListener(interaction, touch, true);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Return whether the user has touched the page or a key.
 *
 * Code that is needed soon is loaded then: it does not delay the first page, and is there in time.
 */
export const useFirstInteraction = () => useSyncExternalStore(subscribe, () => touched);
