/*
 * Service worker that removes itself, with everything it stored.
 *
 * Served instead of sw.ts with CONSUMO_OFFLINE=off.
 */

declare const self: ServiceWorkerGlobalScope;

export {};

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(leave()));

async function leave() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
