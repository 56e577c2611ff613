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
/** Paths of the manual, which has pages of its own. */
const MANUAL = /^\/(ayuda|help)(\/|$)/;
/** Caches of the manual's book for wards have names that begin with this and the language's folder. */
const MANUAL_CACHE = 'manual ';
const NO_PAGES = /^\/(api|schema|health|metrics)(\/|$)/;

self.addEventListener('install', (event) => event.waitUntil(fetchAll()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
// A version never activates by itself: app/offline/serviceWorker.ts asks while there is no unsaved work.
self.addEventListener('message', (event) => {
  if (event.data === 'takeOver') self.skipWaiting();
  else if (MANUAL.test(event.data?.keepManual)) event.waitUntil(keepManual(event.data.keepManual));
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
  const others = (await caches.keys()).filter((name) => name !== VERSION && !name.startsWith(MANUAL_CACHE));
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (MANUAL.test(pathname)) event.respondWith(openManual(request));
    else if (!NO_PAGES.test(pathname)) event.respondWith(openPage(request));
  } else if (pathname.startsWith('/assets/')) {
    event.respondWith(readFile(request));
  } else if (MANUAL.test(pathname) || pathname.startsWith('/icons/')) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()));
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
  return askServer(request, kept);
}

/** Return the server's answer, or the stored one if the server fails or is too slow. */
function askServer(request: Request, kept: Response) {
  const asked = fetch(request).then((answer) => (answer.status < 500 ? answer : kept));
  const late = new Promise<Response>((resolve) => setTimeout(resolve, PAGE_TIMEOUT_MS, kept));
  return Promise.race([asked, late]).catch(() => kept);
}

/** Return a page of the manual; without network a stored one, or the page that says which book is stored. */
async function openManual(request: Request) {
  const { pathname } = new URL(request.url);
  const [, folder] = MANUAL.exec(pathname) ?? [];
  const path = pathname.replace(/\/$/, '');
  const kept = (await caches.match(path)) ?? (await caches.match(`/${folder}/offline`));
  return kept ? askServer(request, kept) : fetch(request);
}

/** Store the manual's book for wards in a language, unless this device has it in the server's version. */
async function keepManual(folder: string) {
  const list = `${folder}/kept.json`;
  const answer = await fetch(list);
  const { version, files } = await answer.clone().json();
  const name = `${MANUAL_CACHE}${folder} ${version}`;
  // The list is stored last: without it, the worker was ended in between.
  if (await caches.match(list, { cacheName: name })) return;
  const answers = new Map<string, Response>();
  for (const file of files) {
    const page = await fetch(file);
    if (!page.ok) return;
    await page.clone().arrayBuffer();
    answers.set(file, page);
  }
  const cache = await caches.open(name);
  await Promise.all([...answers].map(([file, page]) => cache.put(file, page)));
  await cache.put(list, answer);
  const older = (await caches.keys()).filter(
    (one) => one.startsWith(`${MANUAL_CACHE}${folder} `) && one !== name,
  );
  await Promise.all(older.map((one) => caches.delete(one)));
}

/**
 * Return a file from any version's cache, or from the server.
 *
 * Its name contains a digest, so it is the same in every version.
 */
const readFile = async (request: Request) => (await caches.match(request)) ?? fetch(request);
