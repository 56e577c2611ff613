import type { DetailView } from '@/api/generated';
import { codeOf, type Message, type Problem, toProblem } from '@/api/problem';

/** Outcome of sending an entry. */
export type SendOutcome =
  | { becomes: 'recorded'; details: DetailView[] }
  /** The sheet is closed, or the entry too old for this user: it is kept for a supervisor. */
  | { becomes: 'isLate' }
  /** This key was recorded before. */
  | { becomes: 'isThere' }
  /** The sheet is open again. */
  | { becomes: 'isOpen' }
  | { becomes: 'refused'; messages: Message[] }
  /** It waits, and so do the entries behind it: for this many milliseconds, or longer with each attempt. */
  | { becomes: 'waits'; for?: number };

const CODES: Record<string, SendOutcome> = {
  'sheet.closed': { becomes: 'isLate' },
  'moment.too_long_ago': { becomes: 'isLate' },
  'late_entry.entered': { becomes: 'isThere' },
  'sheet.not_closed': { becomes: 'isOpen' },
};
/** Refusals of the session, not of the entry: the user has to unlock it or to confirm who they are. */
const OF_SESSION = ['session_locked', 'second_factor_required'];
/** The server is processing the same entry, for another tab or a lost connection. Delay in milliseconds. */
const AT_WORK = 1_000;

/** Classify a missing or failed response. */
export function outcomeOf(error: unknown): SendOutcome {
  const problem = toProblem(error);
  const { status, messages } = problem;
  if (status === null || status >= 500 || [401, 408, 429].includes(status)) return { becomes: 'waits' };
  if (status === 403 && OF_SESSION.includes(codeOf(error))) return { becomes: 'waits' };
  if (status === 409) return { becomes: 'waits', for: AT_WORK };
  const decided = status === 422 && messages.map(({ code }) => CODES[code ?? '']).find(Boolean);
  return decided || { becomes: 'refused', messages: saidIn(problem) };
}

const saidIn = ({ status, messages }: Problem): Message[] =>
  messages.length > 0 ? messages : [{ field: null, code: null, text: String(status) }];
