import type { ProductLookupView } from '@/api/generated';
import type { DetailValues } from '@/outbox/outboxSlice';
import { type Now, reduceRecorder } from './recorder';
import type { Recorder, RecorderEvent, RecorderState, Row, Scan } from './recorderState';

/**
 * Return the rows that the recorder would have after scanning only this pack: all of its symbols, one by one.
 *
 * What is photographed or pasted asks by this what a scan asks. `recheck` is a line whose pack the server must check,
 * and `told` its answer.
 */
export function scannedAlone(
  key: string,
  scans: { raw: string; answer: ProductLookupView }[],
  { sheetId, by, now }: { sheetId: number; by: Recorder; now: Now },
  told?: Scan['told'] | null,
): { rows: Row[]; recheck: DetailValues | null } {
  let state: RecorderState = { sheetId, rows: [] };
  let recheck: DetailValues | null = null;
  const send = (event: RecorderEvent) => {
    const { state: next, effects } = reduceRecorder(state, event, now);
    state = next;
    for (const effect of effects) if (effect.do === 'recheck') recheck = effect.values;
  };
  for (const [place, { raw, answer }] of scans.entries()) {
    // Without its product, a lot would wait for the next pack that is scanned.
    if (place > 0 && state.rows[0]?.kind !== 'line') break;
    // It is in no queue: nothing follows it.
    const alone = { times: undefined, visit: '', isOld: false };
    send({
      type: 'lookedUp',
      scan: { ...alone, key: place === 0 ? key : `${key} ${place}`, raw, by, answer },
    });
  }
  const [line] = state.rows;
  if (line?.kind === 'line' && told) send({ type: 'rechecked', key: line.key, pack: line.values, told });
  return { rows: state.rows, recheck };
}
