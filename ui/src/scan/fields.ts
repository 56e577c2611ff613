import type { Field, FieldKind } from '@/symbols/reader';

/** Fields that handle scans themselves, such as a field for a code, or must not receive any, such as a password. */
const OWN = '[data-scan="own"], [type="password"], [type="email"], [type="file"]';
const FIELDS = 'input, textarea, select, [contenteditable]';
const NO_TEXT = '[type="checkbox"], [type="radio"], [type="button"], [type="submit"], [type="range"]';

export type TextField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Return the field of a key event; null if scans are left to its element. */
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

/** Set a field's value as if it had been typed, so that its form notices. */
export function writeInto(field: TextField, value: string) {
  if (field.value === value) return;
  // React overrides the setter on the element and ignores values set through it, so use the prototype's.
  const prototype = Object.getPrototypeOf(field) as TextField;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
  // Put the cursor at the end.
  field.value = value;
}
