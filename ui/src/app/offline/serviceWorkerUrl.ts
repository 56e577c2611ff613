/** URL of the service worker. It must never change, because browsers identify the worker by it. */
export const SERVICE_WORKER_URL = '/sw.js';
