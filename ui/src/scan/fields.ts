import type { Field, FieldKind } from './keyboard';

/** Take scans themselves, as a field for a code does, or no part in it, as a password. */
const OWN = '[data-scan="own"], [type="password"], [type="email"], [type="file"]';
const FIELDS = 'input, textarea, select, [contenteditable]';
const NO_TEXT = '[type="checkbox"], [type="radio"], [type="button"], [type="submit"], [type="range"]';

export type TextField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Return what a key event is aimed at; null where scans are left to what is there. */
export function fieldOf(target: EventTarget | null): Field | null {
  if (!(target instanceof HTMLElement)) return { kind: 'none', id: document.body, value: '' };
  if (target.closest(OWN)) return null;
  const isField = target.matches(FIELDS) && !target.matches(NO_TEXT);
  if (!isField) return { kind: 'none', id: target, value: '' };
  return {
    kind: kindOf(target),
    id: target,
    value: 'value' in target ? String(target.value) : '',
    hasChoice: target.hasAttribute('aria-activedescendant'),
  };
}

function kindOf(target: HTMLElement): FieldKind {
  if (target.dataset.scan === 'bar') return 'bar';
  if (target instanceof HTMLInputElement && /^(decimal|numeric)$/.test(target.inputMode)) return 'number';
  return target.matches('[role="combobox"], [role="searchbox"], [type="search"]') ? 'search' : 'text';
}

/** Put a value into a field as if it had been typed, so that the form around it hears of it. */
export function writeInto(field: TextField, value: string) {
  if (field.value === value) return;
  // React keeps its own setter on the element, and takes no notice of what is set through it.
  const prototype = Object.getPrototypeOf(field) as TextField;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
  // The cursor goes behind it.
  field.value = value;
}
