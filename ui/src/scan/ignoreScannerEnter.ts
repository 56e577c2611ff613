import type { KeyboardEvent } from 'react';

/** A scanner ends each code with Enter, which must not submit a half-filled form. */
export function ignoreScannerEnter(event: KeyboardEvent) {
  if (event.key === 'Enter') event.preventDefault();
}
