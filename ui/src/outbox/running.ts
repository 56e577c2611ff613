import { isAnyOf } from '@reduxjs/toolkit';
import { onConnectivityChange } from '@/api/connectivity';
import { serverNow } from '@/api/serverClock';
import { api } from '@/api/tags';
import { listeners } from '@/state/listeners';
import type { AppDispatch, RootState } from '@/state/storeHooks';
import { dropped, keptLate, putOff, reached, recorded, refused, unreachable } from './outboxSlice';
import { flushOutbox, notifyRecorded, stopSending } from './sending';
import { onBroadcast } from './tabChannel';
import { loadOutbox } from './thunks';

/** Interval at which it is also checked whether entries stay on the device, in milliseconds. */
const REPORT_EVERY = 60_000;

/** Delay after a change before it is reported, in milliseconds: others usually follow. */
const REPORT_AFTER = 2_000;

interface Store {
  dispatch: AppDispatch;
  getState: () => RootState;
}

/**
 * Send the outbox whenever that may succeed.
 *
 * That is at once, when the network is back, when the page becomes visible, and when another tab adds an entry.
 * Reports to the server how many entries stay on this device. Returns a function that stops it.
 */
export function runOutbox({ dispatch, getState }: Store): () => void {
  let isStopped = false;
  // Loaded after the first page is there.
  const report = async (isLeaving = false) => {
    const reporting = await import('./reporting').catch(() => null);
    if (reporting && !isStopped) await dispatch(reporting.reportOutbox({ isLeaving }));
  };
  const send = () => {
    if (!isStopped) void dispatch(flushOutbox()).then(() => report());
  };
  const noteOffline = () => void dispatch(unreachable(serverNow().toISOString()));
  // A hidden page may be the last thing that the server hears of this device. It asks no store: see reporting.ts.
  const onSeen = () => (document.visibilityState === 'visible' ? send() : void report(true));
  // A device that did not answer is asked again: its entries may not be stored, nor their deletion reported.
  const onInterval = () => (getState().outbox.isKept ? void report() : send());
  const timer = window.setInterval(onInterval, REPORT_EVERY);
  const ends = [
    listeners.startListening({
      matcher: isAnyOf(refused, recorded, keptLate, dropped),
      async effect(_, { cancelActiveListeners, delay }) {
        cancelActiveListeners();
        await delay(REPORT_AFTER);
        await report();
      },
    }),
    onConnectivityChange((isAnswered) => {
      if (!isAnswered) return noteOffline();
      if (getState().outbox.unreachableSince === null) return;
      dispatch(reached());
      send();
    }),
    onBroadcast((message) => {
      // The tab that sends also retries.
      if (message.what === 'putOff') return void dispatch(putOff({ key: message.key }));
      if (message.what === 'recorded' && message.userId === getState().session.user?.id) {
        dispatch(notifyRecorded(message.key, message.details));
        dispatch(api.util.invalidateTags(['Detail', 'Sheet']));
      }
      dispatch(loadOutbox()).then(send);
    }),
  ];
  window.addEventListener('online', send);
  window.addEventListener('offline', noteOffline);
  document.addEventListener('visibilitychange', onSeen);
  if (!navigator.onLine) noteOffline();
  send();
  return () => {
    isStopped = true;
    window.clearInterval(timer);
    for (const end of ends) end();
    window.removeEventListener('online', send);
    window.removeEventListener('offline', noteOffline);
    document.removeEventListener('visibilitychange', onSeen);
    dispatch(stopSending());
  };
}
