import { useEffect, useEffectEvent } from 'react';

/** Undo on Ctrl+Z, unless a text field has the focus or a dialog is open. */
export function useUndoKey(undo: (() => void) | undefined) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (!isUndo || event.altKey || event.defaultPrevented || !undo) return;
    if (target instanceof Element && target.closest('[role="dialog"]')) return;
    if (target instanceof HTMLInputElement && target.value !== '') return;
    if (target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    undo();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
