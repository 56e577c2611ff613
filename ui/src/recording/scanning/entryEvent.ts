import type { DetailValues } from '@/outbox/outboxSlice';
import type { Entry } from '@/scan/queue';
import type { Recorder, RecorderEvent } from './recorderState';

/** A line that was entered by hand, or was in hand when a scan began. */
export interface HandLine {
  values: DetailValues;
  isAssumed: boolean;
  isPutAside: boolean;
}

/**
 * Return what an entry of the queue means for the recorder.
 *
 * `by` is who records here now: it applies to what was scanned on another page, or before this one was ready.
 */
export function eventOf(
  { key, code: raw, times, answer, at, visit, isOld, isMoved, context }: Entry,
  by: () => Recorder,
): RecorderEvent {
  if (raw !== null && answer) {
    const isHere = !isMoved && context !== null;
    const now = by();
    const { use_reason } = now;
    const given = context as Recorder | null;
    const used =
      isHere && given ? { ...given, use_reason: given.use_reason || use_reason } : { ...now, used_at: at };
    return { type: 'lookedUp', scan: { key, raw, times, by: used, answer, visit, isOld } };
  }
  const { values: given, isAssumed, isPutAside } = context as HandLine;
  const values = isMoved
    ? { ...given, ...by(), used_at: given.used_at }
    : { ...given, use_reason: given.use_reason || by().use_reason };
  if (!isPutAside && !isOld) return { type: 'entered', key, values };
  return { type: 'putAside', key, values, isAssumed: isAssumed || isOld };
}
