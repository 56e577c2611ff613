import type { KeyboardEvent } from 'react';

const ROWS = 'tr[id^="detail-"]';

/**
 * Return the id of the detail whose row contains the element.
 *
 * It is null outside of rows.
 */
export function rowIdOf(element: Element): number | null {
  const row = element.closest(ROWS);
  return row ? Number(row.id.replace('detail-', '')) : null;
}

export interface RowActions {
  onEdit?: () => void;
  onDelete?: () => void;
  /** Toggle the row's mark. */
  onMark: () => void;
  /** Mark the rows up to this one. */
  onExtend: () => void;
  /** Clear all marks; undefined if there are none. */
  onClear?: () => void;
}

interface Table {
  actionsOf: (id: number) => RowActions | null;
  /** Focus the first or the last line, rendered or not. */
  onEnd: (end: 'first' | 'last') => void;
}

/**
 * Handle keys on the lines.
 *
 * The up and down arrows, Home and End move between lines, left and right between a line and its buttons. Enter and F2
 * edit the focused line, Delete voids it, Space marks it, Shift with an arrow key extends the marks, and Escape clears
 * them.
 */
export function walkRows(event: KeyboardEvent<HTMLElement>, { actionsOf, onEnd }: Table) {
  const { target, key, shiftKey, ctrlKey, altKey, metaKey, currentTarget } = event;
  if (!(target instanceof HTMLElement) || target.matches('input') || ctrlKey || altKey || metaKey) return;
  const row = target.closest<HTMLElement>(ROWS);
  if (!row) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  const sideways = { ArrowRight: 1, ArrowLeft: -1 }[key];
  const end = ({ Home: 'first', End: 'last' } as const)[key];
  const actions = actionsOf(rowIdOf(row) as number);
  if (step) {
    event.preventDefault();
    const rows = [...currentTarget.querySelectorAll<HTMLElement>(ROWS)];
    const next = rows[rows.indexOf(row) + step];
    if (shiftKey) {
      actions?.onExtend();
      if (next) actionsOf(rowIdOf(next) as number)?.onExtend();
    }
    // The bar is above the first line.
    if (next) next.focus();
    else if (step < 0 && !shiftKey) document.querySelector<HTMLElement>('[data-scan="bar"]')?.focus();
    return;
  }
  if (sideways) {
    const stops = [row, ...row.querySelectorAll<HTMLElement>('button')];
    event.preventDefault();
    stops[stops.indexOf(target) + sideways]?.focus();
    return;
  }
  if (end) {
    event.preventDefault();
    onEnd(end);
    return;
  }
  if (target !== row) {
    if (key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    row.focus();
    return;
  }
  const run = {
    Enter: actions?.onEdit,
    F2: actions?.onEdit,
    Delete: actions?.onDelete,
    ' ': actions?.onMark,
    Escape: actions?.onClear,
  }[key];
  if (!run) return;
  event.preventDefault();
  run();
}

/** Focus the latest line; false if there is none. */
export function focusFirstRow(): boolean {
  const row = document.querySelector<HTMLElement>(ROWS);
  row?.focus();
  return row !== null;
}
