/*
 * Service worker that opens pages offline, served as /sw.js.
 *
 * It stores the files that recording needs. It has no token, and API requests never pass through it.
 */

declare const self: ServiceWorkerGlobalScope;
/** Both written by the build: the files needed offline, and a digest of them. */
declare const VERSION: string;
declare const FILES: string[];

export {};

const PAGE = '/';
/** Timeout for the server's page, in milliseconds: not every network reports an unreachable server. */
const PAGE_TIMEOUT_MS = 3_000;
/** Paths that the server handles itself, for every user. */
const NO_PAGES = /^\/(api|schema|health|metrics)(\/|$)/;

self.addEventListener('install', (event) => event.waitUntil(fetchAll()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
// A version never activates by itself: app/offline/serviceWorker.ts asks while there is no unsaved work.
self.addEventListener('message', ({ data }) => {
  if (data === 'takeOver') self.skipWaiting();
});

async function fetchAll() {
  const answers = new Map<string, Response>();
  // One after the other, so that users who work meanwhile do not have to wait.
  for (const file of FILES) answers.set(file, await fetchOne(file));
  // During an upgrade the page may come from a server of another version: install again later.
  const page = await answers.get(PAGE)?.clone().text();
  const needed = [...(page ?? '').matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file as string);
  if (!needed.every((file) => answers.has(file))) throw new Error('the page is of another version');
  await caches.delete(VERSION); // so that the newest version is always the last cache
  const cache = await caches.open(VERSION);
  await Promise.all([...answers].map(([file, answer]) => cache.put(file, answer)));
}

async function fetchOne(file: string) {
  const answer = await fetch(file);
  // For a missing file the server returns the page.
  const isPage = answer.headers.get('Content-Type')?.startsWith('text/html');
  if (!answer.ok || isPage !== (file === PAGE)) throw new Error(`${file} is not there`);
  await answer.clone().arrayBuffer(); // an unread body keeps its connection open
  return answer;
}

async function takeOver() {
  // Another tab may still run the previous version, and request more of its files.
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

/**
 * Return the server's page, or the stored one if the server is too slow.
 *
 * A 5xx response counts as no response.
 */
async function openPage(request: Request) {
  const kept = await (await caches.open(VERSION)).match(PAGE);
  if (!kept) return fetch(request);
  const asked = fetch(request).then((answer) => (answer.status < 500 ? answer : kept));
  const late = new Promise<Response>((resolve) => setTimeout(resolve, PAGE_TIMEOUT_MS, kept));
  return Promise.race([asked, late]).catch(() => kept);
}

/**
 * Return a file from any version's cache, or from the server.
 *
 * Its name contains a digest, so it is the same in every version.
 */
const readFile = async (request: Request) => (await caches.match(request)) ?? fetch(request);
