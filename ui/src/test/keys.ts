import userEvent from '@testing-library/user-event';

/** Milliseconds from one key to the next, whatever the machine takes: a person's, unless a scanner is at work. */
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

/** What a scanner types where the focus is, so long after what was typed before. */
export async function scan(code: string, scanner: { every?: number; suffix?: string; after?: number } = {}) {
  at += scanner.after ?? 1000;
  every = scanner.every ?? 10;
  const release = holdTimers();
  await userEvent.keyboard(code + (scanner.suffix ?? '{Enter}'));
  release();
  every = PERSON;
}

/**
 * What waits for whether another key follows, so many milliseconds or more, waits until all have come: a busy machine
 * may take that long for one.
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
