import { useEffect, useRef } from 'react';

/** Ctrl+Z undoes, unless it is for the text under the cursor or a dialog is open. */
export function useUndoKey(undo: (() => void) | undefined) {
  const latest = useRef(undo);
  latest.current = undo;
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const { target } = event;
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!isUndo || event.altKey || event.defaultPrevented || !latest.current) return;
      if (target instanceof Element && target.closest('[role="dialog"]')) return;
      if (target instanceof HTMLInputElement && target.value !== '') return;
      if (target instanceof HTMLTextAreaElement) return;
      event.preventDefault();
      latest.current();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
