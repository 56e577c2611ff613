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
  await userEvent.keyboard(code + (scanner.suffix ?? '{Enter}'));
  every = PERSON;
}
