import type { DetailView } from '@/api/generated';

/*
 * What the tabs of a browser tell one another of the outbox that they share.
 */

const CHANNEL = 'consumo-outbox';

type OutboxMessage =
  /** What lies on the device is another than before. */
  | { what: 'changed' }
  /** One tab could not send this: it waits. */
  | { what: 'putOff'; key: string }
  /** One tab had this recorded. */
  | { what: 'recorded'; userId: number; key: string; details: DetailView[] };

export function broadcast(message: OutboxMessage) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(message);
  channel.close();
}

/** What other tabs tell; what stops it is returned. */
export function onBroadcast(listener: (message: OutboxMessage) => void) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<OutboxMessage>) => listener(data);
  return () => channel.close();
}
