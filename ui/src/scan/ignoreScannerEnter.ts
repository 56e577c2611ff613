import type { KeyboardEvent } from 'react';

/**
 * Ignore Enter in a form for a scanner.
 *
 * It ends each code with Enter, which must not submit a half-filled form.
 */
export function ignoreScannerEnter(event: KeyboardEvent) {
  if (event.key === 'Enter') event.preventDefault();
}
