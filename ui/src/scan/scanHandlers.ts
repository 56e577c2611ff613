import { createContext, use, useEffect, useEffectEvent } from 'react';
import type { Decimal } from '@/i18n/decimal';

/** A code from a scanner, the camera or the clipboard. */
export interface Scanned {
  code: string;
  /** The quantity typed before or after it, as in `3×`. */
  times?: Decimal;
}

export interface ScanHandler {
  onScan: (scanned: Scanned) => void;
  /** What the page would do with the text instead, such as choosing the third item of a list; undefined if nothing. */
  otherMeaning?: (code: string) => { label: string; run: () => void } | undefined;
  /** Save the form before a number is typed. Return a function that restores it, if the number was a scan. */
  remember?: () => () => void;
  /** Focus the search when typing or a scan begins without a text field. */
  focus?: () => void;
}

/**
 * Register a scan handler; only the latest one is called.
 *
 * Returns its removal.
 */
export const ScanHandlersContext = createContext<(handler: ScanHandler) => () => void>(() => () => {});

/** Handle the scans on this page, independent of the focus. */
export function useScanHandler(handler: ScanHandler, isOn = true) {
  const add = use(ScanHandlersContext);
  const onScan = useEffectEvent((scanned: Scanned) => handler.onScan(scanned));
  const otherMeaning = useEffectEvent((code: string) => handler.otherMeaning?.(code));
  const focus = useEffectEvent(() => handler.focus?.());
  const remember = useEffectEvent(() => handler.remember?.() ?? (() => {}));
  const hasMemory = handler.remember !== undefined;
  const takesFocus = handler.focus !== undefined;
  useEffect(() => {
    if (!isOn) return;
    return add({
      onScan: (one) => onScan(one),
      otherMeaning: (code) => otherMeaning(code),
      remember: hasMemory ? () => remember() : undefined,
      focus: takesFocus ? () => focus() : undefined,
    });
  }, [add, isOn, hasMemory, takesFocus]);
}
