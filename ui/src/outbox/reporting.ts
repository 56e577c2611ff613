import { generatedApi } from '@/api/generated';
import { serverNow } from '@/api/serverClock';
import { deviceId } from '@/device/deviceId';
import { deviceStorage } from '@/state/storage';
import type { AppThunk } from '@/state/storeHooks';
import { isUnsent, isWaiting, type OutboxState } from './outboxSlice';

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

const recallReported = () => deviceStorage.readJson<Reported>(KEY) ?? {};

/**
 * Return the users whose entries do not leave this device by themselves, as this page knows them.
 *
 * These are entries of other users, refused ones, and those that have waited for long: all, if the page is being left.
 */
export function stuckEntries(
  { lines, others }: Pick<OutboxState, 'lines' | 'others'>,
  { userId, now, isLeaving }: { userId: number; now: number; isLeaving: boolean },
): Map<number, Report> {
  const found = new Map<number, Report>();
  const own = lines.filter(isUnsent);
  const oldest = Math.min(...own.map(({ occurredAt }) => Date.parse(occurredAt)));
  if (own.length > 0 && (isLeaving || own.some((line) => !isWaiting(line)) || now - oldest > USUAL))
    found.set(userId, { count: own.length, oldestAt: new Date(oldest).toISOString() });
  for (const { userId: id, count, since } of others)
    found.set(id, { count, oldestAt: new Date(since).toISOString() });
  return found;
}

let isReporting = false;
/** A call that came while a report was being sent: it may know more. */
let missed: { isLeaving?: boolean } | null = null;

/**
 * Report to the server how many entries wait on this device, and since when; nothing else about them.
 *
 * Only while it can be reached. The store of the device is not asked: a page that goes away in the middle of a transaction
 * may block it for the next one. Supervisors see it. An unchanged report is not repeated for some minutes. A failed one
 * is sent with the next call. A call that comes while a report is being sent is answered after it.
 */
export const reportOutbox =
  ({ isLeaving = false } = {}): AppThunk<void> =>
  async (dispatch, getState) => {
    if (isReporting) {
      missed = { isLeaving: isLeaving || missed?.isLeaving };
      return;
    }
    const { session, outbox } = getState();
    const userId = session.user?.id;
    if (userId === undefined || session.locked || !outbox.isRead || outbox.unreachableSince !== null) return;
    isReporting = true;
    try {
      const now = serverNow().getTime();
      const stuck = stuckEntries(outbox, { userId, now, isLeaving });
      const reported = recallReported();
      const waiting = new Set(outbox.others.map((other) => other.userId));
      if (outbox.lines.some(isUnsent)) waiting.add(userId);
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
        deviceStorage.setItem(KEY, JSON.stringify(news));
      };
      for (const [id, report] of stuck) {
        const last = reported[id];
        const isKnown = last?.count === report.count && last.oldestAt === report.oldestAt;
        if (!isKnown || Math.abs(now - last.at) >= REPEAT_AFTER) await send(id, report);
      }
      // A device that does not answer may still have them.
      if (outbox.isKept)
        for (const id of Object.keys(reported).map(Number)) if (!waiting.has(id)) await send(id, null);
    } finally {
      isReporting = false;
    }
    const next = missed;
    missed = null;
    if (next) await dispatch(reportOutbox(next));
  };
