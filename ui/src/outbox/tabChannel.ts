import type { DetailView } from '@/api/generated';

/* Messages between the tabs of a browser, which share one outbox. */

const CHANNEL = 'consumo-outbox';

type OutboxMessage =
  /** The outbox on the device has changed. */
  | { what: 'changed' }
  /** A tab failed to send this entry: it waits. */
  | { what: 'putOff'; key: string }
  /** A tab has recorded this entry. */
  | { what: 'recorded'; userId: number; key: string; details: DetailView[] };

export function broadcast(message: OutboxMessage) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(message);
  channel.close();
}

/**
 * Call the listener for messages of other tabs.
 *
 * Return a function that unsubscribes it.
 */
export function onBroadcast(listener: (message: OutboxMessage) => void) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<OutboxMessage>) => listener(data);
  return () => channel.close();
}
