import { useEffect, useEffectEvent } from 'react';

/** What closes the open dialogs and drawers, the topmost last. */
const layers: (() => void)[] = [];

// After the page's own handlers: a list, a calendar or a choice within takes the key for itself and prevents its default.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
  const close = layers.at(-1);
  // A menu closes itself.
  if (!close || (event.target instanceof Element && event.target.closest('[role="menu"]'))) return;
  event.preventDefault();
  close();
});

/**
 * Close a dialog or drawer on Escape if it is the topmost.
 *
 * Mantine's own listeners close all that are open at once, with whatever is open in them.
 */
export function useEscape(opened: boolean, onClose: () => void) {
  const close = useEffectEvent(() => onClose());
  useEffect(() => {
    if (!opened) return;
    const own = () => close();
    layers.push(own);
    return () => void layers.splice(layers.indexOf(own), 1);
  }, [opened]);
}
