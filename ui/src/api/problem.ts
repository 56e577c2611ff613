/** A failed call, in one shape for forms, toasts and the error page. */
export interface Problem {
  /** The HTTP status, or null without a response. */
  status: number | null;
  /** One per message of a 422, otherwise the only message. */
  messages: Message[];
}

export interface Message {
  field: string | null;
  code: string | null;
  text: string;
  /** The text as it stands at the item of a list that it is about, without the item's position. */
  textAtItem?: string;
  /** Whether the user may record anyway, because the supply has already been used. */
  acknowledgeable?: true;
  /** The recall that a question is about. */
  recallId?: number;
}

interface Body {
  message?: string | string[];
  errors?: {
    field?: string | null;
    code?: string;
    message: string;
    acknowledgeable?: boolean;
    recall_id?: number;
  }[];
}

export function toProblem(error: unknown): Problem {
  const { status, data, originalStatus } = (error ?? {}) as {
    status?: unknown;
    data?: unknown;
    originalStatus?: unknown;
  };
  const body: Body = typeof data === 'object' && data !== null ? data : {};
  const sentences = [body.message ?? []].flat();
  const messages = body.errors?.length
    ? body.errors.map(({ field, code, message, acknowledgeable, recall_id: recallId }, at): Message => {
        const text = sentences[at] ?? message;
        return {
          field: field ?? null,
          code: code ?? null,
          text,
          ...(text !== message && { textAtItem: message }),
          ...(acknowledgeable && { acknowledgeable }),
          ...(recallId && { recallId }),
        };
      })
    : sentences.map((text): Message => ({ field: null, code: null, text }));
  const known = [status, originalStatus].find((value) => typeof value === 'number');
  return { status: known === undefined ? null : (known as number), messages };
}

/** Return the code of a refusal as a whole, such as `session_locked`; empty without one. */
export function codeOf(error: unknown): string {
  const { data } = (error ?? {}) as { data?: { code?: unknown } | null };
  return typeof data?.code === 'string' ? data.code : '';
}

/**
 * Return whether the server or database is unavailable: retry later.
 *
 * The same request may be sent again.
 */
export const isUnavailable = (status: Problem['status']) =>
  status === null || [502, 503, 504, 507].includes(status);

/** Return whether the server failed while it was available: the same request would fail again. */
export const isFailure = (status: Problem['status']) =>
  status !== null && status >= 500 && !isUnavailable(status);

/**
 * Return whether the call was aborted by the session's end or the user.
 *
 * The end of a session aborts all calls.
 */
export const isAborted = (error: unknown) => (error as { name?: unknown }).name === 'AbortError';

/** A problem thrown to the error page. */
export class ApiError extends Error {
  readonly status: number | null;

  constructor(problem: Problem) {
    super(problem.messages.map(({ text }) => text).join(' '));
    this.status = problem.status;
  }
}

/** Return whether the error is a missing response. */
export const isUnreachable = (error: unknown) => error instanceof ApiError && error.status === null;

/**
 * Throw a failed load of code as an unreachable server.
 *
 *     import('./Page').catch(throwUnreachable)
 */
export function throwUnreachable(): never {
  throw new ApiError({ status: null, messages: [] });
}

/**
 * Throw to the error page if a page's own query failed.
 *
 *     throwOnError(useReadSheetQuery(…))
 */
export function throwOnError({ error, data }: { error?: unknown; data?: unknown }) {
  if (error && data === undefined) throw new ApiError(toProblem(error));
}
