import { useSyncExternalStore } from 'react';

const FIRST_INTERACTIONS = ['keydown', 'pointerdown', 'input'] as const;

const listeners = new Set<() => void>();
let touched = false;

function touch() {
  for (const interaction of FIRST_INTERACTIONS) window.removeEventListener(interaction, touch, true);
  // Not before React was told of what was typed: drawn in between, the field would be emptied again.
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
 * Whether the person has touched the page or a key yet. What they will need a moment later is loaded then: it does
 * not keep them waiting for what they look at first, and is there before they get to it.
 */
export const useFirstInteraction = () => useSyncExternalStore(subscribe, () => touched);
