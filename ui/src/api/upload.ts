import type { ImportLine } from './generated';
import { api } from './tags';

/*
 * Calls that send a whole file and take their time. The generated calls know what is sent and answered; here it is told
 * how: what may be given several times is, nobody gives up after half a minute, and an answer that comes line by line
 * is listened to while it comes.
 */

export interface Progress {
  done: number;
  total: number;
}

/** A large file over a slow network, and then its turn. */
const PATIENCE = 3_600_000;

const listeners = new WeakMap<Blob, (progress: Progress) => void>();

/** Be told how many rows of that file are done, whenever it is sent. */
export function listen(file: Blob, hear: (progress: Progress) => void) {
  listeners.set(file, hear);
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

/** The last line, which has the report, or says what went wrong in the end; the lines before tell the progress. */
async function lastLine(answer: Response, hear: (progress: Progress) => void): Promise<ImportLine> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    text += decoder.decode(value, { stream: !done });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const told: ImportLine = JSON.parse(line);
      if (told.report || told.error) return told;
      hear({ done: told.done ?? 0, total: told.total ?? 0 });
    }
    if (done) throw new Error('The answer broke off.');
  }
}

// biome-ignore-start lint/suspicious/noExplicitAny: the generated calls differ in what they take.
interface Endpoint {
  query?: (arg: any) => any;
  transformErrorResponse?: (error: any, meta: any, arg: any) => any;
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above.

function sendingAFile(endpoint: Endpoint) {
  const { query } = endpoint;
  endpoint.query = (arg) => {
    const request = query?.(arg);
    return { ...request, params: parameters(request.params), timeout: PATIENCE };
  };
}

function toldLineByLine(endpoint: Endpoint) {
  sendingAFile(endpoint);
  const { query } = endpoint;
  endpoint.query = (arg) => ({
    ...query?.(arg),
    responseHandler: (answer: Response) =>
      answer.ok ? lastLine(answer, listeners.get(arg.body) ?? (() => {})) : answer.json(),
    // What goes wrong in the end is told after the status.
    validateStatus: ({ ok }: Response, last: ImportLine) => ok && !last.error,
  });
  endpoint.transformErrorResponse = (problem) => {
    if (problem.status === 'PARSING_ERROR') return { status: 'FETCH_ERROR', error: problem.error };
    const inTheEnd = problem.data?.error;
    return inTheEnd ? { status: inTheEnd.status, data: inTheEnd } : problem;
  };
}

const uploads = api.enhanceEndpoints({
  endpoints: {
    readFile: sendingAFile,
    checkImport: toldLineByLine,
    importFile: toldLineByLine,
    undoImport: (endpoint: Endpoint) => {
      const { query } = endpoint;
      endpoint.query = (arg) => ({ ...query?.(arg), timeout: PATIENCE });
    },
  },
});

export const { useReadFileMutation, useCheckImportMutation, useImportFileMutation, useUndoImportMutation } =
  uploads;
