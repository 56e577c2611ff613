import { useEffect } from 'react';

/**
 * Return the focus to where it was when a dialog or drawer closes, however it closes.
 *
 * Mantine returns it only from one that was mounted closed.
 */
export function useReturnFocus(opened: boolean) {
  useEffect(() => {
    if (!opened) return;
    const before = openerOf(document.activeElement);
    const row = before?.closest('tr')?.id;
    return () => {
      const { activeElement } = document;
      const isLost = activeElement === document.body || activeElement?.closest('[role="dialog"]');
      if (!isLost) return;
      // The button may have been drawn again; its row is the same.
      const target = before?.isConnected ? before : row && document.getElementById(row);
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    };
  }, [opened]);
}

/** The element to return to: of a menu, which closes, the button that opened it. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]');
  const opener = menu ? document.querySelector(`[aria-controls="${menu.id}"]`) : element;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}
