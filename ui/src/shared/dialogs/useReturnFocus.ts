import { type RefObject, useEffect } from 'react';

const IN_LAYER = '[role="dialog"], [role="menu"]';

/** The latest focus outside of dialogs and menus. */
let latest: HTMLElement | null = null;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest(IN_LAYER)) latest = target;
});

/**
 * Return the focus to where it was when a dialog, drawer or menu closes.
 *
 * It does not matter how it closes, nor whether the button that opened it was disabled meanwhile. Mantine only returns
 * the focus from a dialog that was mounted closed, and to the element that had it at that moment.
 *
 * With ``content``, a dialog that opens again while it still closes does not return the focus into itself.
 */
export function useReturnFocus(
  opened: boolean,
  isWanted: () => boolean = always,
  content?: RefObject<HTMLElement | null>,
) {
  useEffect(() => {
    if (!opened) return;
    const before = openerOf(document.activeElement, content?.current);
    const row = before?.closest('tr')?.id;
    return () => {
      const { activeElement } = document;
      const isLost =
        activeElement === null || activeElement === document.body || activeElement.closest(IN_LAYER) !== null;
      if (!isLost || !isWanted()) return;
      // The button may have been rendered again; its row is the same.
      const target = before?.isConnected ? before : row && document.getElementById(row);
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    };
  }, [opened, isWanted, content]);
}

const always = () => true;

/** Return the element to focus later: a menu item is gone by then, and a disabled button has lost the focus already. */
function openerOf(element: Element | null, own: HTMLElement | null | undefined): HTMLElement | null {
  const isElsewhere =
    element === null ||
    element === document.body ||
    element.closest('[role="menu"]') !== null ||
    own?.contains(element);
  return isElsewhere || !(element instanceof HTMLElement) ? latest : element;
}
