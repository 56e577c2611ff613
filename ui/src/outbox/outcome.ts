import type { DetailView } from '@/api/generated';
import { type Message, type Problem, toProblem } from '@/api/problem';

/** What becomes of an entry that was sent. */
export type SendOutcome =
  | { becomes: 'recorded'; details: DetailView[] }
  /** The sheet takes it no more, or not from this person: it is kept for whoever supervises. */
  | { becomes: 'isLate' }
  /** It was recorded under this key before. */
  | { becomes: 'isThere' }
  /** The sheet takes lines again. */
  | { becomes: 'isOpen' }
  | { becomes: 'refused'; messages: Message[] }
  /** It waits, and so do those behind it: for so many milliseconds, or for longer with each try. */
  | { becomes: 'waits'; for?: number };

const CODES: Record<string, SendOutcome> = {
  'sheet.closed': { becomes: 'isLate' },
  'moment.too_long_ago': { becomes: 'isLate' },
  'late_entry.entered': { becomes: 'isThere' },
  'sheet.not_closed': { becomes: 'isOpen' },
};
/** The server works on the same entry: for another tab, or since before the connection broke. */
const AT_WORK = 1_000;

/** What an answer that is none, or no good one, means for the entry. */
export function outcomeOf(error: unknown): SendOutcome {
  const problem = toProblem(error);
  const { status, messages } = problem;
  if (status === null || status >= 500 || [401, 408, 429].includes(status)) return { becomes: 'waits' };
  if (status === 409) return { becomes: 'waits', for: AT_WORK };
  const decided = status === 422 && messages.map(({ code }) => CODES[code ?? '']).find(Boolean);
  return decided || { becomes: 'refused', messages: saidIn(problem) };
}

const saidIn = ({ status, messages }: Problem): Message[] =>
  messages.length > 0 ? messages : [{ field: null, code: null, text: String(status) }];
