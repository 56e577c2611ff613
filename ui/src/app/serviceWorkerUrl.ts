/** Where the service worker lies; its name must last, as browsers know it by that. */
export const SERVICE_WORKER_URL = '/sw.js';
