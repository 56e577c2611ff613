import type { KeyboardEvent } from 'react';

/** A scanner ends each code with Enter, which must not send a form that is half filled in. */
export function ignoreScannerEnter(event: KeyboardEvent) {
  if (event.key === 'Enter') event.preventDefault();
}
