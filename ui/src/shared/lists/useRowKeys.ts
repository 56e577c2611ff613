import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react';

const STOPS = 'a[href], button:not(:disabled), summary, input, select';
/** Fields use the arrow keys themselves. */
const FIELDS = 'input:not([type="checkbox"]), select, textarea';

const stopsIn = (part: Element) => [...part.querySelectorAll<HTMLElement>(STOPS)];

/** Make the head and the body of a table one tab stop each: where the focus is, or was last. */
function settle(table: HTMLTableElement) {
  for (const section of [table.tHead, ...table.tBodies]) {
    const stops = section ? stopsIn(section) : [];
    const focused = stops.find((stop) => stop === document.activeElement);
    const current = focused ?? stops.find((stop) => stop.dataset.stop) ?? stops[0];
    for (const stop of stops) {
      stop.tabIndex = stop === current ? 0 : -1;
      if (stop === current) stop.dataset.stop = 'true';
      else delete stop.dataset.stop;
    }
  }
}

/**
 * Move the focus in a table by keys.
 *
 * Up and down go from row to row, left and right through what a row holds, Home and End to the first and the last row.
 */
function move(event: KeyboardEvent<HTMLTableElement>) {
  const { currentTarget: table, target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  // Keys of a menu arrive here too, because React passes them to the menu's parents.
  if (!(target instanceof HTMLElement) || !table.contains(target) || target.matches(FIELDS)) return;
  const rows = [...table.rows].map(stopsIn).filter((stops) => stops.length > 0);
  const place = rows.findIndex((stops) => stops.includes(target));
  const stops = rows[place];
  if (!stops) return;
  const inRow = stops.indexOf(target);
  const first = rows.findIndex(([stop]) => stop?.closest('tbody'));
  // In another row, the same kind of control: its name, or its menu.
  const across = (row: HTMLElement[] | undefined) => {
    const isLast = inRow > 0 && inRow === stops.length - 1;
    return row && (isLast && row.length > 1 ? row.at(-1) : row[0]);
  };
  const next = {
    ArrowDown: () => across(rows[place + 1]),
    ArrowUp: () => across(rows[place - 1]),
    ArrowRight: () => stops[inRow + 1],
    ArrowLeft: () => stops[inRow - 1],
    Home: () => across(rows[first]),
    End: () => across(rows.at(-1)),
  }[key];
  if (!next) return;
  event.preventDefault();
  next()?.focus();
}

/** Return the props of a table whose rows are one tab stop. */
export function useRowKeys() {
  const ref = useRef<HTMLTableElement>(null);
  useEffect(() => {
    if (ref.current) settle(ref.current);
  });
  return {
    ref,
    onKeyDown: move,
    onFocus: ({ currentTarget }: FocusEvent<HTMLTableElement>) => settle(currentTarget),
  };
}
