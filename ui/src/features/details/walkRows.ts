import type { KeyboardEvent } from 'react';

const ROWS = 'tr[id^="detail-"]';

export interface RowActions {
  onEdit?: () => void;
  onDelete?: () => void;
}

/** Move through the lines with the arrows; Enter corrects the one that has the focus, Delete voids it. */
export function walkRows(event: KeyboardEvent<HTMLElement>, actionsOf: (id: number) => RowActions) {
  const { target, key, currentTarget } = event;
  if (!(target instanceof HTMLElement) || !target.matches(ROWS)) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>(ROWS)];
  const place = rows.indexOf(target);
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step) {
    event.preventDefault();
    const next = rows[place + step];
    // Above the first line is the bar.
    if (next) next.focus();
    else if (step < 0) document.querySelector<HTMLElement>('[data-scan="bar"]')?.focus();
    return;
  }
  const { onEdit, onDelete } = actionsOf(Number(target.id.replace('detail-', '')));
  const run = key === 'Enter' ? onEdit : key === 'Delete' ? onDelete : undefined;
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
