import type { ImportedRow, ImportLine, ImportView } from './generated';
import { api } from './tags';

/*
 * Calls that take their time, most of them with a whole file. The generated calls know what is sent and answered; here
 * it is told how: what may be given several times is, nobody gives up after half a minute, and an answer that comes line
 * by line is listened to while it comes.
 */

export interface Progress {
  done: number;
  total: number;
}

/** A large file over a slow network, and then its turn. */
const UPLOAD_TIMEOUT_MS = 3_600_000;

/** What is told meanwhile; with none done it begins anew. */
export interface ImportProgress extends Progress {
  rows: ImportedRow[];
}

const listeners = new WeakMap<object, (progress: ImportProgress) => void>();

/** The same argument; who calls with it is told how far it is, and of the rows where all were asked for. */
export function onProgress<Arg extends object>(arg: Arg, listener: (progress: ImportProgress) => void) {
  listeners.set(arg, listener);
  return arg;
}

/** Parameters as the server reads them: what is a list is given once for each of its values. */
export function parameters(given: Record<string, unknown>) {
  const all = Object.entries(given).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined)
      .map((one) => [name, String(one)]),
  );
  return new URLSearchParams(all);
}

/** A line of an answer: the last one has what it came to, or says what went wrong in the end. */
type Line = ImportLine & { import?: ImportView };

/** The last line; the listener is told of the lines before it. */
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

// biome-ignore-start lint/suspicious/noExplicitAny: the generated calls differ in what they take.
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
    // What goes wrong in the end is told after the status.
    validateStatus: ({ ok }: Response, last: Line) => ok && !last.error,
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
    checkImport: sendingAFileAndStreamNdjson,
    importFile: sendingAFileAndStreamNdjson,
    undoImport: (endpoint: Endpoint) => {
      streamNdjson(endpoint);
      endpoint.transformResponse = (last: Line) => last.import;
    },
  },
});

export const { useReadFileMutation, useCheckImportMutation, useImportFileMutation, useUndoImportMutation } =
  uploads;
