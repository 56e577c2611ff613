import { askStore } from '@/device/database';
import { setOfflineEnabled } from '@/device/isOfflineEnabled';
import { rememberedLanguage } from '@/i18n/language';
import { manualFolder } from '@/i18n/manualFolder';
import { text } from '@/i18n/messages';
import type { OutboxState } from '@/outbox/outboxSlice';
import { toast } from '@/shared/ui/toast';
import { SERVICE_WORKER_URL } from './serviceWorkerUrl';

/** How often an open page checks for a new version, in milliseconds. */
const EVERY_HOUR = 3_600_000;
/** How often the page checks for unsaved work while it offers an update, in milliseconds. */
const EVERY_MOMENT = 2_000;

interface State {
  outbox: OutboxState;
}

/** Return whether an update would interrupt unsaved work or a request. */
export function hasUnsavedWork({ outbox }: State) {
  const isSending = outbox.lines.some(({ status }) => status === 'sending');
  return isSending || asksBeforeLeaving();
}

/** Ask the `beforeunload` handlers whether a page has unsaved work. */
const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

/**
 * Register the service worker, and offer its updates.
 *
 * It stores the recording pages on this device, and afterwards the manual's book for wards.
 */
export async function registerServiceWorker(getState: () => State) {
  setOfflineEnabled(true);
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers) return; // unavailable without https
  const registration = await workers.register(SERVICE_WORKER_URL);
  let offering: number | undefined;

  async function onNewer() {
    if (await isOfNewestVersion()) takeOver();
    else offer();
  }

  const takeOver = () => registration.waiting?.postMessage('takeOver');

  function update() {
    if (!registration.waiting) return window.location.reload(); // another tab already updated
    workers?.addEventListener('controllerchange', () => window.location.reload());
    takeOver();
  }

  /** Offer the update while there is no unsaved work, until it is accepted or closed. */
  function offer() {
    window.clearInterval(offering);
    let withdraw: (() => void) | undefined;
    const look = () => {
      if (hasUnsavedWork(getState())) {
        const hide = withdraw;
        withdraw = undefined;
        hide?.();
      } else {
        withdraw ??= toast.success(text('update.there'), {
          autoClose: false,
          action: { label: text('update.take'), run: () => !hasUnsavedWork(getState()) && update() },
          onClose: () => withdraw && window.clearInterval(offering),
        });
      }
    };
    offering = window.setInterval(look, EVERY_MOMENT);
    look();
  }

  function follow(next: ServiceWorker | null) {
    next?.addEventListener('statechange', () => {
      if (next.state === 'installed' && registration.active) onNewer();
    });
  }

  workers.ready.then(({ active }) => {
    active?.postMessage({ keepManual: manualFolder(rememberedLanguage()) });
  });

  if (registration.waiting) onNewer();
  follow(registration.installing);
  registration.addEventListener('updatefound', () => follow(registration.installing));
  workers.addEventListener('controllerchange', onNewer);

  const lookForNewer = () => {
    if (document.visibilityState === 'visible') registration.update().catch(() => {}); // offline
  };
  window.setInterval(lookForNewer, EVERY_HOUR);
  document.addEventListener('visibilitychange', lookForNewer);
}

/**
 * Return whether the page already has the newest version.
 *
 * Online, the page comes from the server and may be newer than the worker. The update then changes nothing that the
 * user sees.
 */
async function isOfNewestVersion() {
  const version = (await caches.keys()).filter((name) => !name.startsWith('manual ')).at(-1);
  if (version === undefined) return true;
  const newest = await caches.open(version);
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[src]')];
  const kept = await Promise.all(scripts.map(({ src }) => newest.match(src)));
  return kept.every((one) => one !== undefined);
}

/**
 * Delete the offline data from this device, except unsent entries.
 *
 * The worker unregisters itself (sw-off.ts).
 */
export async function disableOfflineMode() {
  setOfflineEnabled(false);
  const empty = (name: 'catalogue' | 'sheets') => askStore(name, (database) => database.clear(name));
  await Promise.all([empty('catalogue'), empty('sheets')]);
}
