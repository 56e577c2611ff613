import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deviceDatabase } from '@/device/database';
import { loadMessages } from '@/i18n/messages';
import { outboxReducer } from '@/outbox/outboxSlice';
import { toast } from '@/shared/ui/toast';
import { disableOfflineMode, hasUnsavedWork, registerServiceWorker } from './serviceWorker';

const idle = { outbox: outboxReducer(undefined, { type: 'begin' }) };

class FakeWorker extends EventTarget {
  state = 'installing';
  told: unknown[] = [];
  postMessage = (message: unknown) => this.told.push(message);
}

/** Fake a browser with one registration and the newest version's cache. */
function aBrowser({ kept }: { kept: string[] }) {
  const registration = Object.assign(new EventTarget(), {
    installing: null as FakeWorker | null,
    waiting: null as FakeWorker | null,
    active: new FakeWorker() as FakeWorker | null,
    update: vi.fn(async () => {}),
  });
  const container = Object.assign(new EventTarget(), {
    register: vi.fn(async () => registration),
    ready: Promise.resolve(registration),
  });
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker: container }));
  vi.stubGlobal('caches', {
    keys: async () => ['older', 'newest', 'manual /ayuda 1'],
    open: async (name: string) => ({
      match: async (src: string) =>
        name === 'newest' && kept.some((file) => src.endsWith(file)) ? {} : undefined,
    }),
  });
  return {
    registration,
    container,
    /** Another version is installed and waiting. */
    async newVersion() {
      const next = new FakeWorker();
      registration.installing = next;
      registration.dispatchEvent(new Event('updatefound'));
      registration.installing = null;
      registration.waiting = next;
      next.state = 'installed';
      next.dispatchEvent(new Event('statechange'));
      await settled();
      return next;
    },
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const hide = vi.fn();
const reload = vi.fn();
let offered = vi.spyOn(toast, 'success');

beforeEach(async () => {
  await loadMessages('es');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  offered = vi.spyOn(toast, 'success').mockReturnValue(hide);
  hide.mockReset();
  reload.mockReset();
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
  const script = document.createElement('script');
  script.type = 'text/plain';
  script.setAttribute('src', '/assets/login-1.js');
  document.head.append(script);
});

afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.head.querySelector('script[src]')?.remove();
});

const take = () => offered.mock.lastCall?.[1]?.action?.run();

it('registers, and checks for updates hourly and on return', async () => {
  const { container, registration } = aBrowser({ kept: [] });
  await registerServiceWorker(() => idle);
  expect(container.register).toHaveBeenCalledExactlyOnceWith('/sw.js');
  vi.advanceTimersByTime(3_600_000);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(registration.update).toHaveBeenCalledTimes(2);
});

it('does not announce the first version', async () => {
  const browser = aBrowser({ kept: [] });
  browser.registration.active = null;
  await registerServiceWorker(() => idle);
  expect((await browser.newVersion()).told).toEqual([]);
  expect(offered).not.toHaveBeenCalled();
});

it('offers a new version, and activates it only on request', async () => {
  const browser = aBrowser({ kept: ['login-2.js'] });
  await registerServiceWorker(() => idle);
  const next = await browser.newVersion();
  expect(offered).toHaveBeenCalledExactlyOnceWith('Hay una versión nueva.', expect.anything());
  expect(next.told).toEqual([]);
  take();
  expect(next.told).toEqual(['takeOver']);
  expect(reload).not.toHaveBeenCalled();
  browser.registration.waiting = null;
  browser.container.dispatchEvent(new Event('controllerchange'));
  expect(reload).toHaveBeenCalledOnce();
});

it('offers a version that was waiting before the page opened', async () => {
  const browser = aBrowser({ kept: ['login-2.js'] });
  browser.registration.waiting = new FakeWorker();
  await registerServiceWorker(() => idle);
  await settled();
  expect(offered).toHaveBeenCalledOnce();
});

it('activates silently when the page has the same version', async () => {
  const browser = aBrowser({ kept: ['login-1.js'] });
  await registerServiceWorker(() => idle);
  expect((await browser.newVersion()).told).toEqual(['takeOver']);
  expect(offered).not.toHaveBeenCalled();
});

it('reloads when another tab activated the version', async () => {
  const browser = aBrowser({ kept: ['login-2.js'] });
  await registerServiceWorker(() => idle);
  browser.container.dispatchEvent(new Event('controllerchange'));
  await settled();
  expect(reload).not.toHaveBeenCalled();
  take();
  expect(reload).toHaveBeenCalledOnce();
});

it('offers only while idle, and not again once dismissed', async () => {
  const browser = aBrowser({ kept: ['login-2.js'] });
  let begun = true;
  const unsaved = (event: Event) => begun && event.preventDefault();
  window.addEventListener('beforeunload', unsaved);
  await registerServiceWorker(() => idle);
  const next = await browser.newVersion();
  expect(offered).not.toHaveBeenCalled();

  begun = false;
  vi.advanceTimersByTime(2_000);
  expect(offered).toHaveBeenCalledOnce();
  begun = true;
  take();
  expect(next.told).toEqual([]);
  vi.advanceTimersByTime(2_000);
  expect(hide).toHaveBeenCalledOnce();

  begun = false;
  vi.advanceTimersByTime(6_000);
  expect(offered).toHaveBeenCalledTimes(2);
  offered.mock.lastCall?.[1]?.onClose?.();
  vi.advanceTimersByTime(60_000);
  expect(offered).toHaveBeenCalledTimes(2);
  window.removeEventListener('beforeunload', unsaved);
});

it.each([
  ['sending', true],
  ['waiting', false], // stored on the device
  ['refused', false],
  ['recorded', false],
])('counts a line that is %s as unsaved work: %s', (status, expected) => {
  expect(hasUnsavedWork({ outbox: { ...idle.outbox, lines: [{ key: 'a', status }] } } as never)).toBe(
    expected,
  );
});

it('keeps only unsent entries when offline work is off', async () => {
  const database = await deviceDatabase();
  await database.put('outbox', { key: 'a' } as never);
  await database.put('catalogue', { version: '1', fetched_at: '' } as never, 'catalogue');
  await database.put('sheets', { id: 1 } as never);
  await disableOfflineMode();
  const counts = await Promise.all(
    (['outbox', 'catalogue', 'sheets'] as const).map((name) => database.count(name)),
  );
  expect(counts).toEqual([1, 0, 0]);
  await database.clear('outbox');
});

it('works in browsers without service workers (no https)', async () => {
  vi.stubGlobal('navigator', Object.create(navigator, { serviceWorker: { value: undefined } }));
  await expect(registerServiceWorker(() => idle)).resolves.toBeUndefined();
});
