import type { KeyboardEvent } from 'react';

const ROWS = 'tr[id^="detail-"]';

/** The id of the line whose row this is; null outside of rows. */
export function rowIdOf(element: Element): number | null {
  const row = element.closest(ROWS);
  return row ? Number(row.id.replace('detail-', '')) : null;
}

export interface RowActions {
  onEdit?: () => void;
  onDelete?: () => void;
  /** Mark the row, or take its mark off. */
  onMark: () => void;
  /** Mark the rows up to this one. */
  onExtend: () => void;
  /** Take all marks off; left out where there are none. */
  onClear?: () => void;
}

/**
 * Move through the lines with the arrows; Enter corrects the one that has the focus, Delete voids it, Space marks it,
 * Shift with an arrow marks on the way, Escape takes the marks off.
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
    // Above the first line is the bar.
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

/** Give the focus to the latest line; false where there is none. */
export function focusFirstRow(): boolean {
  const row = document.querySelector<HTMLElement>(ROWS);
  row?.focus();
  return row !== null;
}
