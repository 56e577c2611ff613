import { useSyncExternalStore } from 'react';

const FIRST_MOVES = ['keydown', 'pointerdown', 'input'] as const;

const listeners = new Set<() => void>();
let begun = false;

function begin() {
  for (const move of FIRST_MOVES) window.removeEventListener(move, begin, true);
  // Not before React was told of what was typed: drawn in between, the field would be emptied again.
  window.setTimeout(() => {
    begun = true;
    for (const listener of listeners) listener();
  });
}

for (const move of FIRST_MOVES) window.addEventListener(move, begin, true);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Whether the person has touched the page or a key yet. What they will need a moment later is loaded then: it does
 * not keep them waiting for what they look at first, and is there before they get to it.
 */
export const useBegun = () => useSyncExternalStore(subscribe, () => begun);
