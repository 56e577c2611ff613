import userEvent from '@testing-library/user-event';

/** Simulated milliseconds between keys, however slow the machine: a person's pace, unless `scan` runs. */
const PERSON = 150;
let every = PERSON;
let at = 0;

window.addEventListener(
  'keydown',
  (event) => {
    at += every;
    Object.defineProperty(event, 'timeStamp', { value: at });
  },
  { capture: true },
);

/**
 * Type like a scanner into the focused element.
 *
 * It begins `after` milliseconds after the previous input.
 */
export async function scan(code: string, scanner: { every?: number; suffix?: string; after?: number } = {}) {
  at += scanner.after ?? 1000;
  every = scanner.every ?? 10;
  const release = holdTimers();
  await userEvent.keyboard(code + (scanner.suffix ?? '{Enter}'));
  release();
  every = PERSON;
}

/**
 * Hold timers of at least `from` milliseconds until released.
 *
 * Code that waits for a next key must not time out, because a busy machine may take that long for one key.
 */
export function holdTimers(from = 300) {
  const { setTimeout: start, clearTimeout: clear } = window;
  const held = new Map<number, () => void>();
  let holds = true;
  window.setTimeout = ((call: (...args: unknown[]) => void, wait = 0, ...args: unknown[]) => {
    const run = () => call(...args);
    const timer = start(() => (holds && wait >= from ? held.set(timer, run) : run()), wait);
    return timer;
  }) as typeof window.setTimeout;
  window.clearTimeout = ((timer: number) => {
    held.delete(timer);
    clear(timer);
  }) as typeof window.clearTimeout;
  return () => {
    holds = false;
    window.setTimeout = start;
    window.clearTimeout = clear;
    for (const run of held.values()) run();
  };
}
