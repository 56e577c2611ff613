import { generatedApi } from '@/api/generated';
import { serverNow } from '@/api/serverClock';
import { deviceId } from '@/device/deviceId';
import type { OutboxEntry } from '@/device/outboxEntry';
import type { AppThunk } from '@/storeHooks';
import { allEntries } from './entries';

/** An unchanged report is repeated after this time, in milliseconds, so that the server knows that the device is in use. */
const REPEAT_AFTER = 5 * 60_000;
/** Entries are usually sent within this time, in milliseconds. Younger ones are not reported. */
const USUAL = 60_000;
const KEY = 'outboxReported';

interface Report {
  count: number;
  oldestAt: string;
}

/** The last reports, by user. */
type Reported = Record<string, Report & { at: number }>;

function recallReported(): Reported {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

/**
 * Return the users whose entries do not leave this device by themselves.
 *
 * These are entries of other users, refused ones, and those that have waited for long: all, if the page is being left.
 */
export function stuckEntries(
  entries: OutboxEntry[],
  { userId, now, isLeaving }: { userId: number; now: number; isLeaving: boolean },
): Map<number, Report> {
  const byUser = new Map<number, OutboxEntry[]>();
  for (const entry of entries) byUser.set(entry.user_id, [...(byUser.get(entry.user_id) ?? []), entry]);
  const found = new Map<number, Report>();
  for (const [id, all] of byUser) {
    const times = all.map(({ occurred_at }) => Date.parse(occurred_at));
    const oldest = Math.min(...times);
    const isStuck =
      isLeaving || id !== userId || all.some(({ state }) => state === 'refused') || now - oldest > USUAL;
    if (isStuck) found.set(id, { count: all.length, oldestAt: new Date(oldest).toISOString() });
  }
  return found;
}

let isReporting = false;

/**
 * Report to the server how many entries wait on this device, and since when; nothing else about them.
 *
 * Only while it can be reached. Supervisors see it. An unchanged report is not repeated for some minutes. A failed one
 * is sent with the next call.
 */
export const reportOutbox =
  ({ isLeaving = false } = {}): AppThunk<void> =>
  async (dispatch, getState) => {
    const { session, outbox } = getState();
    const userId = session.user?.id;
    if (userId === undefined || session.locked || outbox.unreachableSince !== null || isReporting) return;
    isReporting = true;
    try {
      const now = serverNow().getTime();
      const entries = await allEntries();
      const stuck = stuckEntries(entries, { userId, now, isLeaving });
      const reported = recallReported();
      const waiting = new Set(entries.map(({ user_id }) => user_id));
      const send = async (id: number, report: Report | null) => {
        // Another user may have signed in meanwhile.
        if (getState().session.user?.id !== userId) return;
        const { error } = await dispatch(
          generatedApi.endpoints.reportOutbox.initiate(
            {
              deviceId: deviceId(),
              outboxDraft: {
                count: report?.count ?? 0,
                oldest_at: report?.oldestAt,
                user_id: id === userId ? undefined : id,
              },
            },
            { track: false },
          ),
        );
        if (error) return;
        const news = recallReported();
        if (report) news[id] = { ...report, at: now };
        else delete news[id];
        localStorage.setItem(KEY, JSON.stringify(news));
      };
      for (const [id, report] of stuck) {
        const last = reported[id];
        const isKnown = last?.count === report.count && last.oldestAt === report.oldestAt;
        if (!isKnown || Math.abs(now - last.at) >= REPEAT_AFTER) await send(id, report);
      }
      for (const id of Object.keys(reported).map(Number)) if (!waiting.has(id)) await send(id, null);
    } finally {
      isReporting = false;
    }
  };
