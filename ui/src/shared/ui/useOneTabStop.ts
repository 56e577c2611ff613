import { type KeyboardEvent, useEffect, useRef } from 'react';

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Make the links of a list one tab stop, within which the arrow keys, Home and End move.
 *
 * The stop is the link of the present page, or else the first one.
 */
export function useOneTabStop<E extends HTMLElement>() {
  const list = useRef<E>(null);
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('a, button') ?? [])];
  const setStop = (stop: HTMLElement | undefined) => {
    for (const link of links()) link.tabIndex = link === stop ? 0 : -1;
  };
  // After each render: links come and go with permissions, and the present page changes.
  useEffect(() => {
    const all = links();
    const focused = all.find((link) => link === document.activeElement);
    setStop(focused ?? all.find((link) => link.ariaCurrent === 'page') ?? all[0]);
  });
  return {
    ref: list,
    onKeyDown: (event: KeyboardEvent) => {
      const all = links();
      const at = all.indexOf(event.target as HTMLElement);
      const ends: Record<string, number> = { Home: 0, End: all.length - 1 };
      const next = all[ends[event.key] ?? at + (STEPS[event.key] ?? Number.NaN)];
      if (at < 0 || !next) return;
      event.preventDefault();
      setStop(next);
      next.focus();
    },
  };
}
