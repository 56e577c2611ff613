import { toast } from '@/components/toast';
import { deviceDatabase } from '@/device/database';
import { setOfflineEnabled } from '@/device/isOfflineEnabled';
import { text } from '@/i18n/messages';
import type { OutboxState } from '@/outbox/outboxSlice';
import { SERVICE_WORKER_URL } from './serviceWorkerUrl';

/** How often a page that stays open asks whether there is a newer version. */
const EVERY_HOUR = 3_600_000;
/** How often it is looked whether somebody is in the middle of something. */
const EVERY_MOMENT = 2_000;

interface State {
  outbox: OutboxState;
}

/** Whether something is begun or being sent, which a new version must not interrupt. */
export function hasUnsavedWork({ outbox }: State) {
  const isSending = outbox.lines.some(({ status }) => status === 'sending');
  return isSending || asksBeforeLeaving();
}

/** Pages with unsaved work say so to the browser; here they are asked the same. */
const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

/** Has the pages on which one records kept on this device, and tells of new versions of them. */
export async function registerServiceWorker(getState: () => State) {
  setOfflineEnabled(true);
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers) return; // there are none without https
  const registration = await workers.register(SERVICE_WORKER_URL);
  let offering: number | undefined;

  async function onNewer() {
    if (await isOfNewestVersion()) takeOver();
    else offer();
  }

  const takeOver = () => registration.waiting?.postMessage('takeOver');

  function update() {
    if (!registration.waiting) return window.location.reload(); // another tab was quicker
    workers?.addEventListener('controllerchange', () => window.location.reload());
    takeOver();
  }

  /** For as long as nobody is at work, and until it is taken or closed. */
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

  if (registration.waiting) onNewer();
  follow(registration.installing);
  registration.addEventListener('updatefound', () => follow(registration.installing));
  workers.addEventListener('controllerchange', onNewer);

  const lookForNewer = () => {
    if (document.visibilityState === 'visible') registration.update().catch(() => {}); // not without network
  };
  window.setInterval(lookForNewer, EVERY_HOUR);
  document.addEventListener('visibilitychange', lookForNewer);
}

/** Online the page comes from the server, and may be newer than the worker: nothing changes for whoever looks at it. */
async function isOfNewestVersion() {
  const version = (await caches.keys()).at(-1);
  if (version === undefined) return true;
  const newest = await caches.open(version);
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[src]')];
  const kept = await Promise.all(scripts.map(({ src }) => newest.match(src)));
  return kept.every((one) => one !== undefined);
}

/** Where nobody is to work without network: nothing is kept but what is still to be sent. The worker goes by itself. */
export async function disableOfflineMode() {
  setOfflineEnabled(false);
  const database = await deviceDatabase();
  await Promise.all([database.clear('catalogue'), database.clear('sheets')]);
}
