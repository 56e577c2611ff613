import { createContext, use, useEffect, useEffectEvent } from 'react';
import type { Decimal } from '@/i18n/decimal';

/** A code that arrived by scanner, camera or paste. */
export interface Scanned {
  code: string;
  /** How many of it, where that was typed before or behind it: `3×`. */
  times?: Decimal;
}

export interface ScanHandler {
  onScan: (scanned: Scanned) => void;
  /** What the page would do with that text instead, such as taking the third of a list; undefined where nothing. */
  otherMeaning?: (code: string) => { label: string; run: () => void } | undefined;
  /** Note what the form holds before a number is typed; what it returns puts that back, if it was a scan. */
  remember?: () => () => void;
  /** Take the focus, as a person begins to type or a scanner to scan where nothing takes text. */
  focus?: () => void;
}

/** Adds a handler of scans, the latest of which hears them; returns what takes it away. */
export const ScanHandlersContext = createContext<(handler: ScanHandler) => () => void>(() => () => {});

/** Hear the scans of this page, whatever has the focus. */
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
