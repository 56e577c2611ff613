import { useEffect, useEffectEvent } from 'react';
import { deviceStorage } from '@/state/storage';

const KEY = 'shortcuts';

/**
 * Minimum pause around a shortcut key, in milliseconds. A scanner's code may begin like a shortcut that leaves the page
 * or opens a dialog.
 */
export const ALONE_MS = 300;

/**
 * Setting for single-key shortcuts (WCAG 2.1.4). Speech input or an object on the keyboard may trigger them by
 * accident.
 */
export const singleKeys = {
  areOn: () => deviceStorage.getItem(KEY) !== 'off',
  turn: (on: boolean) => (on ? deviceStorage.removeItem(KEY) : deviceStorage.setItem(KEY, 'off')),
};

/** Return what a key does on the focused element, if no other key comes near it. */
type LoneKey = (key: string, focused: Element) => (() => void) | undefined;

const loneKeys = new Set<LoneKey>();

const FIELDS = 'input, textarea, select, [contenteditable]';
const LAYERS = '[role="dialog"], [role="menu"]';

/** Return whether keys are typed into the focused element. */
export const isField = (focused: EventTarget | null) =>
  focused instanceof Element && focused.closest(FIELDS) !== null;

/** Return whether the focus is in the dialog that holds `part`, or on the page with nothing open above it. */
export function isBeside(focused: EventTarget | null, part: Element | null = null): boolean {
  const layer = focused instanceof Element ? focused.closest(LAYERS) : null;
  const own = part?.closest(LAYERS) ?? null;
  return layer === own && (layer !== null || !document.querySelector(LAYERS));
}

/** Return what a key does alone; undefined if it only begins a text. */
export function loneKeyAction(key: string, focused: Element): (() => void) | undefined {
  if (!singleKeys.areOn() || !isBeside(focused)) return undefined;
  for (const actionOf of loneKeys) {
    const run = actionOf(key.toLowerCase(), focused);
    if (run) return run;
  }
  return undefined;
}

/** Use keys without a text field. If another key follows at once, both go to the page's search or scan. */
export function useLoneKey(actionOf: LoneKey) {
  const current = useEffectEvent(actionOf);
  useEffect(() => {
    const own: LoneKey = (key, focused) => current(key, focused);
    loneKeys.add(own);
    return () => {
      loneKeys.delete(own);
    };
  }, []);
}

/** A key that waits for the next one. It acts if none comes. */
export class HeldKey {
  #character = '';
  #timer = 0;

  get isHeld() {
    return this.#character !== '';
  }

  hold(character: string, act: () => void) {
    this.#character = character;
    this.#timer = window.setTimeout(() => {
      this.letGo();
      act();
    }, ALONE_MS);
  }

  /** Return the key, which does nothing any more. */
  letGo(): string {
    window.clearTimeout(this.#timer);
    const character = this.#character;
    this.#character = '';
    return character;
  }
}
