import '@testing-library/jest-dom/vitest';
import { notifications } from '@mantine/notifications';
import { cleanup, configure, prettyDOM } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import 'fake-indexeddb/auto';
import { BroadcastChannel as NodeChannel, threadId } from 'node:worker_threads';
import { IDBFactory } from 'fake-indexeddb';
import { resetConnectivity } from '@/api/connectivity';
import { resetOfflineFallback } from '@/api/offlineFallback';
import { resetServerClock } from '@/api/serverClock';
import { resetUnlocking } from '@/api/unlocking';
import { resetIndex } from '@/device/catalogue';
import { closeDeviceDatabase } from '@/device/database';
import { clearVolatile } from '@/outbox/entries';
import { resetForms } from '@/session/savedWork';
import { endings } from './endings';
import './keys';
import './patience';
import { server } from './server';

// Browser APIs that happy-dom lacks.
vi.stubGlobal('matchMedia', (query: string) => ({
  // No transitions, so that tests do not depend on the speed of the machine.
  matches: query.includes('prefers-reduced-motion'),
  media: query,
  addEventListener: () => {},
  removeEventListener: () => {},
}));
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
// Node's channels also reach the other workers, whose tests would refetch what this one counts.
let tests = 0;
vi.stubGlobal(
  'BroadcastChannel',
  class extends NodeChannel {
    constructor(name: string) {
      super(`${name}-${threadId}-${tests}`);
    }
  },
);
// Also missing. React reports its errors here; a missing translation fails the test.
vi.stubGlobal('reportError', (error: unknown) => {
  if ((error as { code?: unknown }).code === 'MISSING_TRANSLATION') throw error;
  console.error(error);
});
// Node would print an element with the whole page and React's state, which takes seconds.
const { warn } = console;
console.warn = (...told: unknown[]) =>
  warn(...told.map((each) => (each instanceof Element ? each.outerHTML : each)));
configure({
  // Waiting for an element fails many times before it appears. The page is only printed once, when a test fails.
  getElementError: (message) => new Error(message ?? 'No such element'),
});

Element.prototype.scrollIntoView = () => {};
window.scrollTo = () => {};
window.print = () => {};

/** Lists requested without a page, for which the server would send up to 1,000 items. */
const unpaged = new Set<string>();
server.events.on('response:mocked', async ({ request, response }) => {
  const { pathname, searchParams } = new URL(request.url);
  if (['limit', 'page', 'format'].some((name) => searchParams.has(name))) return;
  const answer = await response
    .clone()
    .json()
    .catch(() => null);
  if (answer?.meta?.pages !== undefined) unpaged.add(pathname);
});

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(async ({ task }) => {
  const lists = [...unpaged];
  unpaged.clear();
  tests += 1;
  if (task.result?.state === 'fail') console.log(prettyDOM());
  cleanup();
  for (const end of endings.splice(0)) end();
  vi.useRealTimers();
  await closeDeviceDatabase();
  globalThis.indexedDB = new IDBFactory();
  resetIndex();
  clearVolatile();
  resetConnectivity();
  resetOfflineFallback();
  resetServerClock();
  resetUnlocking();
  resetForms();
  notifications.clean();
  localStorage.clear();
  sessionStorage.clear();
  server.resetHandlers();
  expect(lists, 'lists that the client asks for without a page').toEqual([]);
});
afterAll(() => server.close());
