import { type RefObject, useEffect, useEffectEvent } from 'react';

/** What is open above the page. */
interface OpenDialog {
  /** Whether nothing may be recorded until it is answered. */
  holdsScans: boolean;
  isChanged: () => boolean;
  close: () => void;
}

const dialogs = new Set<OpenDialog>();
const listeners = new Set<() => void>();

/** The dialogs above the page, so that nothing happens behind an open question. */
export const openDialogs = {
  holdScans: () => [...dialogs].some(({ holdsScans }) => holdsScans),
  /** Whether closing them would lose something that was typed or chosen. */
  areChanged: () => [...dialogs].some(({ isChanged }) => isChanged()),
  closeAll: () => {
    for (const { close } of [...dialogs]) close();
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};

const FIELDS = 'input, textarea, select';

/** Register an open dialog with its content, which is compared with what it was at first. */
export function useOpenDialog(
  isOpen: boolean,
  content: RefObject<HTMLElement | null>,
  { holdsScans, onClose }: { holdsScans: boolean; onClose: () => void },
) {
  const close = useEffectEvent(() => onClose());
  useEffect(() => {
    if (!isOpen) return;
    const changed = new Set<EventTarget>();
    const note = ({ target }: Event) => {
      if (target instanceof HTMLElement && target.matches(FIELDS) && content.current?.contains(target))
        changed.add(target);
    };
    document.addEventListener('input', note, { capture: true });
    const dialog: OpenDialog = {
      holdsScans,
      // A field that is empty again has lost nothing.
      isChanged: () =>
        [...changed].some((field) => !(field instanceof HTMLInputElement) || field.value !== ''),
      close: () => close(),
    };
    dialogs.add(dialog);
    for (const listener of listeners) listener();
    return () => {
      dialogs.delete(dialog);
      document.removeEventListener('input', note, { capture: true });
      for (const listener of listeners) listener();
    };
  }, [isOpen, content, holdsScans]);
}
