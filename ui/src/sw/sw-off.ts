/* Served in the place of sw.ts where CONSUMO_OFFLINE=off: takes leave of the device with all that a worker kept. */

declare const self: ServiceWorkerGlobalScope;

export {};

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(leave()));

async function leave() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
