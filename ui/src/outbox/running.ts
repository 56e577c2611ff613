import { onConnectivityChange } from '@/api/connectivity';
import { serverNow } from '@/api/serverClock';
import { api } from '@/api/tags';
import type { AppDispatch, RootState } from '@/storeHooks';
import { putOff, reached, unreachable } from './outboxSlice';
import { flushOutbox, notifyRecorded, stopSending } from './sending';
import { onBroadcast } from './tabChannel';
import { loadOutbox } from './thunks';

interface Store {
  dispatch: AppDispatch;
  getState: () => RootState;
}

/**
 * Send the outbox whenever that may succeed.
 *
 * That is at once, when the network is back, when the page becomes visible, and when another tab adds an entry.
 * Returns a function that stops it.
 */
export function runOutbox({ dispatch, getState }: Store): () => void {
  const send = () => void dispatch(flushOutbox());
  const noteOffline = () => void dispatch(unreachable(serverNow().toISOString()));
  const onSeen = () => document.visibilityState === 'visible' && send();
  const ends = [
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
    for (const end of ends) end();
    window.removeEventListener('online', send);
    window.removeEventListener('offline', noteOffline);
    document.removeEventListener('visibilitychange', onSeen);
    dispatch(stopSending());
  };
}
