import { useEffect } from 'react';

/**
 * Return the focus to where it was when a dialog or drawer closes.
 *
 * It does not matter how it closes. Mantine only returns it from a dialog that was mounted closed.
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
      // The button may have been rendered again; its row is the same.
      const target = before?.isConnected ? before : row && document.getElementById(row);
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    };
  }, [opened]);
}

let menuButton: HTMLElement | null = null;

/**
 * Remember the button of a menu when an item is chosen.
 *
 * The dialog that the item opens returns the focus to it.
 */
export const rememberMenuButton = (button: HTMLElement | null) => {
  menuButton = button;
};

/**
 * Return the element to focus later.
 *
 * A menu item is gone by then, so it is the button that opened the menu.
 */
function openerOf(element: Element | null): HTMLElement | null {
  const isMenu = element === null || element === document.body || element.closest('[role="menu"]') !== null;
  if (isMenu) return menuButton;
  return element instanceof HTMLElement ? element : null;
}
