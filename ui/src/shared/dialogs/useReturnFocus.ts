import { type RefObject, useEffect } from 'react';

const IN_LAYER = '[role="dialog"], [role="menu"]';
const ROW = 'tr[id]';

/** A focused element, and the ids of the rows of its table, the nearest first. */
interface Place {
  element: HTMLElement;
  rows: string[];
}

/** The latest focus outside of dialogs and menus. */
let latest: Place | null = null;
/** The number of open dialogs, drawers and menus. */
let layers = 0;

// Behind an open dialog, only a Tab that was faster than the dialog gets anywhere.
document.addEventListener('focusin', ({ target }) => {
  if (layers === 0 && target instanceof HTMLElement && !target.closest(IN_LAYER)) latest = placeOf(target);
});

// A click beside everything gives the focus up; an element that disappears or is disabled does not.
document.addEventListener('focusout', ({ target, relatedTarget }) => {
  if (!relatedTarget) queueMicrotask(() => target === latest?.element && canFocus(target) && forget());
});

new MutationObserver(() => {
  if (document.activeElement !== document.body || !latest || isDisabled(latest.element)) return;
  const dialog = layers > 0 && [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
  if (dialog) dialog.focus();
  else returnFocus(latest);
}).observe(document, { childList: true, subtree: true, attributeFilter: ['disabled', 'inert'] });

const listeners = new Set<() => void>();

/** The dialogs and drawers above the page. */
export const openLayers = {
  count: () => layers,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};

function changeLayers(by: number) {
  layers += by;
  for (const listener of listeners) listener();
}

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
    changeLayers(1);
    const before = openerOf(document.activeElement, content?.current);
    latest = before;
    return () => {
      changeLayers(-1);
      if (isFocusLost() && isWanted()) returnFocus(before);
    };
  }, [opened, isWanted, content]);
}

const always = () => true;

const forget = () => {
  latest = null;
};

const isDisabled = (element: HTMLElement) => element.isConnected && element.matches(':disabled');

const canFocus = (element: unknown) =>
  element instanceof HTMLElement && element.isConnected && !element.matches(':disabled, [inert] *');

function isFocusLost() {
  const { activeElement } = document;
  return (
    activeElement === null || activeElement === document.body || activeElement.closest(IN_LAYER) !== null
  );
}

/**
 * Focus the element, or what is nearest to where it was.
 *
 * That is its row, the next row, the one before, or else what the page names for it.
 */
function returnFocus(place: Place | null) {
  const near = place?.rows.map((id) => document.getElementById(id)) ?? [];
  const landings = ['input[data-landing]', '[data-landing]', '#content'].map((one) =>
    document.querySelector(one),
  );
  const target = [place?.element, ...near, ...landings].find(canFocus) as HTMLElement | undefined;
  if (target) target.focus({ preventScroll: true });
  else forget();
}

/** Return the element with the rows from its own to the last one, and then those before it. */
function placeOf(element: HTMLElement): Place {
  const own = element.closest<HTMLElement>(ROW);
  if (!own) return { element, rows: [] };
  const rows = [...(own.closest('table')?.querySelectorAll(ROW) ?? [])].map(({ id }) => id);
  const at = rows.indexOf(own.id);
  return { element, rows: [...rows.slice(at), ...rows.slice(0, at).toReversed()] };
}

/** Return the place to focus later: a menu item is gone by then, and a disabled button has lost the focus already. */
function openerOf(element: Element | null, own: HTMLElement | null | undefined): Place | null {
  const isElsewhere =
    element === null ||
    element === document.body ||
    element.closest('[role="menu"]') !== null ||
    own?.contains(element);
  return isElsewhere || !(element instanceof HTMLElement) ? latest : placeOf(element);
}
