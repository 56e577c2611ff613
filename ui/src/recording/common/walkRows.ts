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

/**
 * Handle keys on the lines.
 *
 * The arrow keys move, Enter edits the focused line, Delete voids it, Space marks it, Shift with an arrow key extends the
 * marks, and Escape clears them.
 */
export function walkRows(event: KeyboardEvent<HTMLElement>, actionsOf: (id: number) => RowActions | null) {
  const { target, key, shiftKey, currentTarget } = event;
  if (!(target instanceof HTMLElement) || !target.matches(ROWS)) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>(ROWS)];
  const place = rows.indexOf(target);
  const actions = actionsOf(rowIdOf(target) as number);
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step) {
    event.preventDefault();
    const next = rows[place + step];
    if (shiftKey) {
      actions?.onExtend();
      if (next) actionsOf(rowIdOf(next) as number)?.onExtend();
    }
    // The bar is above the first line.
    if (next) next.focus();
    else if (step < 0 && !shiftKey) document.querySelector<HTMLElement>('[data-scan="bar"]')?.focus();
    return;
  }
  const run = {
    Enter: actions?.onEdit,
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
