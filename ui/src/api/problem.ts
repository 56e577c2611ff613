/** Whatever went wrong with a call, in one shape for forms, toasts and the error page. */
export interface Problem {
  /** The HTTP status, or null when no answer came. */
  status: number | null;
  /** One per message of a 422, the single message otherwise. */
  messages: Message[];
}

export interface Message {
  field: string | null;
  code: string | null;
  text: string;
  /** Whether one may go past it: what was used was used. */
  acknowledgeable?: true;
}

interface Body {
  message?: string | string[];
  errors?: { field?: string | null; code?: string; message: string; acknowledgeable?: boolean }[];
}

export function toProblem(error: unknown): Problem {
  const { status, data, originalStatus } = (error ?? {}) as {
    status?: unknown;
    data?: unknown;
    originalStatus?: unknown;
  };
  const body: Body = typeof data === 'object' && data !== null ? data : {};
  const messages = body.errors?.length
    ? body.errors.map(
        ({ field, code, message, acknowledgeable }): Message => ({
          field: field ?? null,
          code: code ?? null,
          text: message,
          ...(acknowledgeable && { acknowledgeable }),
        }),
      )
    : [body.message ?? []].flat().map((text): Message => ({ field: null, code: null, text }));
  const known = [status, originalStatus].find((value) => typeof value === 'number');
  return { status: known === undefined ? null : (known as number), messages };
}

/** No answer, or the server or its database cannot at this moment: the same may be sent again. */
export const isUnavailable = (status: Problem['status']) =>
  status === null || [502, 503, 504, 507].includes(status);

/** Whether nobody waited for the answer any longer: the session ended, which gives up all calls, or the person did. */
export const isAborted = (error: unknown) => (error as { name?: unknown }).name === 'AbortError';

/** A problem on its way to the error page. */
export class ApiError extends Error {
  readonly status: number | null;

  constructor(problem: Problem) {
    super(problem.messages.map(({ text }) => text).join(' '));
    this.status = problem.status;
  }
}

/** Whether no answer came. */
export const isUnreachable = (error: unknown) => error instanceof ApiError && error.status === null;

/** For what lies on the server and could not be loaded: `import('./Page').catch(cannotBeReached)`. */
export function throwUnreachable(): never {
  throw new ApiError({ status: null, messages: [] });
}

/** Show the error page when a page's own data could not be read: `failOn(useReadSheetQuery(…))`. */
export function throwOnError({ error, data }: { error?: unknown; data?: unknown }) {
  if (error && data === undefined) throw new ApiError(toProblem(error));
}
