/*
 * Served as /sw.js: answers a page that is opened or reloaded without network, with the files that one needs to go on
 * recording. It knows no token, and what is asked of the API never passes through here.
 */

declare const self: ServiceWorkerGlobalScope;
/** Both written by the build: what is needed without network, and a digest of it. */
declare const VERSION: string;
declare const FILES: string[];

export {};

const PAGE = '/';
/** So long the server has for the page: where it cannot be reached, not every network says so. */
const PAGE_TIMEOUT_MS = 3_000;
/** What the server answers by itself, whoever opens it. */
const NO_PAGES = /^\/(api|schema|health|metrics)(\/|$)/;

self.addEventListener('install', (event) => event.waitUntil(fetchAll()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
// A version never takes over by itself: app/serviceWorker.ts asks when nobody is in the middle of something.
self.addEventListener('message', ({ data }) => {
  if (data === 'takeOver') self.skipWaiting();
});

async function fetchAll() {
  const answers = new Map<string, Response>();
  // One after the other: whoever works meanwhile is not to wait for it.
  for (const file of FILES) answers.set(file, await fetchOne(file));
  // Of a server of another version, as in the middle of an upgrade, this page is not: it is tried again later.
  const page = await answers.get(PAGE)?.clone().text();
  const needed = [...(page ?? '').matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file as string);
  if (!needed.every((file) => answers.has(file))) throw new Error('the page is of another version');
  await caches.delete(VERSION); // the newest stands last, whichever was there before
  const cache = await caches.open(VERSION);
  await Promise.all([...answers].map(([file, answer]) => cache.put(file, answer)));
}

async function fetchOne(file: string) {
  const answer = await fetch(file);
  // A file that is not there is answered with the page.
  const isPage = answer.headers.get('Content-Type')?.startsWith('text/html');
  if (!answer.ok || isPage !== (file === PAGE)) throw new Error(`${file} is not there`);
  await answer.clone().arrayBuffer(); // what is not read holds a connection
  return answer;
}

async function takeOver() {
  // Another tab may still run the version before, and ask for more of its files.
  const others = (await caches.keys()).filter((name) => name !== VERSION);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (!NO_PAGES.test(pathname)) event.respondWith(openPage(request));
  } else if (pathname.startsWith('/assets/')) {
    event.respondWith(readFile(request));
  }
});

/** The server's page, or the kept one where it has no good answer in time. */
async function openPage(request: Request) {
  const kept = await (await caches.open(VERSION)).match(PAGE);
  if (!kept) return fetch(request);
  const asked = fetch(request).then((answer) => (answer.status < 500 ? answer : kept));
  const late = new Promise<Response>((resolve) => setTimeout(resolve, PAGE_TIMEOUT_MS, kept));
  return Promise.race([asked, late]).catch(() => kept);
}

/** Its name tells its content: whichever version it was kept for, it is the same. */
const readFile = async (request: Request) => (await caches.match(request)) ?? fetch(request);
