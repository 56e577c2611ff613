/*
 * Prefetching of the API responses of the first page.
 *
 * The requests start before the application's code has loaded. The first matching `fetch` takes the response; all
 * other requests go out as usual.
 */

/** Maximum age and timeout of a prefetched response, in milliseconds. */
const FRESH = 30_000;

interface Prefetched {
  headers: Record<string, string>;
  at: number;
  answer: Promise<Response>;
}

const asked = new Map<string, Prefetched>();

/** Prefetch these API addresses, with their query strings. */
export function prefetch(addresses: string[], headers: Record<string, string>) {
  for (const address of addresses) {
    const answer = fetch(address, {
      headers: { ...headers, Accept: 'application/json' },
      signal: AbortSignal.timeout(FRESH),
    });
    // An unread body keeps its connection open. A failure is reported to the request that takes the response.
    answer.then((one) => one.clone().arrayBuffer()).catch(() => {});
    asked.set(address, { headers, at: Date.now(), answer });
  }
}

/** Call `fetch`, or take a fresh prefetched response with equal headers. */
export function fetchOrPrefetched(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const known = request.method === 'GET' ? asked.get(pathname + search) : undefined;
  if (!known) return fetch(request);
  asked.delete(pathname + search);
  const isSame = Object.entries(known.headers).every(([name, value]) => request.headers.get(name) === value);
  return isSame && Date.now() - known.at < FRESH ? known.answer : fetch(request);
}
