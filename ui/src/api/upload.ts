import type { ImportedRow, ImportLine, ImportView } from './generated';
import { api } from './tags';

/*
 * Slow calls, most of them uploads of a whole file.
 *
 * The generated endpoints define requests and responses. This module adds repeated query parameters, a longer
 * timeout, and NDJSON responses that are read while they arrive.
 */

export interface Progress {
  done: number;
  total: number;
}

/** Timeout in milliseconds: a large file on a slow network that then waits for the import lock. */
const UPLOAD_TIMEOUT_MS = 3_600_000;

/** Progress of an import. It starts over with `done` at 0. */
export interface ImportProgress extends Progress {
  rows: ImportedRow[];
}

const listeners = new WeakMap<object, (progress: ImportProgress) => void>();

/**
 * Register a progress listener for calls with this argument.
 *
 * Returns the argument. The listener gets rows only if the call asks for all of them.
 */
export function onProgress<Arg extends object>(arg: Arg, listener: (progress: ImportProgress) => void) {
  listeners.set(arg, listener);
  return arg;
}

/** Build query parameters; a list is repeated, once per value. */
export function parameters(given: Record<string, unknown>) {
  const all = Object.entries(given).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined)
      .map((one) => [name, String(one)]),
  );
  return new URLSearchParams(all);
}

/** A line of an NDJSON response. The last line has the result or the error. */
type Line = ImportLine & { import?: ImportView };

/**
 * Read an NDJSON response and return its last line.
 *
 * The listener gets the other lines.
 */
async function lastLine(answer: Response, listener?: (progress: ImportProgress) => void): Promise<Line> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    text += decoder.decode(value, { stream: !done });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const message: Line = JSON.parse(line);
      if (message.report || message.import || message.error) return message;
      listener?.({ done: message.done ?? 0, total: message.total ?? 0, rows: message.rows ?? [] });
    }
    if (done) throw new Error('The answer broke off.');
  }
}

// biome-ignore-start lint/suspicious/noExplicitAny: the generated endpoints have different arguments.
interface Endpoint {
  query?: (arg: any) => any;
  transformResponse?: (answer: any, meta: any, arg: any) => any;
  transformErrorResponse?: (error: any, meta: any, arg: any) => any;
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above.

function sendingAFile(endpoint: Endpoint) {
  const { query } = endpoint;
  endpoint.query = (arg) => {
    const request = query?.(arg);
    return { ...request, params: parameters(request.params), timeout: UPLOAD_TIMEOUT_MS };
  };
}

function streamNdjson(endpoint: Endpoint) {
  const { query } = endpoint;
  endpoint.query = (arg) => ({
    ...query?.(arg),
    headers: { Accept: 'application/x-ndjson' },
    timeout: UPLOAD_TIMEOUT_MS,
    responseHandler: (answer: Response) => (answer.ok ? lastLine(answer, listeners.get(arg)) : answer.json()),
    // An error may arrive after the status, on the last line.
    validateStatus: ({ status }: Response, last: Line) => status === 200 && !last.error,
  });
  endpoint.transformErrorResponse = (problem) => {
    if (problem.status === 'PARSING_ERROR') return { status: 'FETCH_ERROR', error: problem.error };
    const inTheEnd = problem.data?.error;
    return inTheEnd ? { status: inTheEnd.status, data: inTheEnd } : problem;
  };
}

function sendingAFileAndStreamNdjson(endpoint: Endpoint) {
  sendingAFile(endpoint);
  streamNdjson(endpoint);
}

const uploads = api.enhanceEndpoints({
  endpoints: {
    readFile: sendingAFile,
    reconcileHandedOut: sendingAFile,
    checkImport: sendingAFileAndStreamNdjson,
    importFile: sendingAFileAndStreamNdjson,
    undoImport: (endpoint: Endpoint) => {
      streamNdjson(endpoint);
      endpoint.transformResponse = (last: Line) => last.import;
    },
  },
});

export const {
  useReadFileMutation,
  useCheckImportMutation,
  useImportFileMutation,
  useUndoImportMutation,
  useReconcileHandedOutMutation,
} = uploads;
