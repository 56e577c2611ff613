import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverNow } from '@/api/serverClock';
import type { OutboxEntry } from '@/device/outboxEntry';
import { locked, signedOut } from '@/session/session';
import { openTab } from '@/test/outbox';
import { aNurse, aSupervisor } from '@/test/people';
import { server } from '@/test/server';
import { deleteEntry, putEntry } from './entries';
import { otherUsersEntries } from './others';
import { lineOf, unreachable } from './outboxSlice';
import { reportOutbox, stuckEntries } from './reporting';
import { loadOutbox } from './thunks';

const MINUTE = 60_000;
const me = aNurse();
const other = aSupervisor();

let reports: Record<string, unknown>[];
let devices: Set<unknown>;
beforeEach(() => {
  reports = [];
  devices = new Set();
  server.use(
    http.put('/api/devices/:device/outbox', async ({ request, params }) => {
      devices.add(params.device);
      reports.push((await request.json()) as Record<string, unknown>);
      return new HttpResponse(null, { status: 204 });
    }),
  );
});

const entryOf = (key: string, change: Partial<OutboxEntry> = {}): Omit<OutboxEntry, 'seq'> => ({
  key,
  user_id: me.id,
  user_name: 'Lucía P.',
  sheet_id: 1,
  items: [],
  staff_id: null,
  area_id: null,
  kit_id: null,
  occurred_at: serverNow().toISOString(),
  state: 'waiting',
  tries: 0,
  problem: null,
  ...change,
});
const minutesAgo = (minutes: number) => new Date(serverNow().getTime() - minutes * MINUTE).toISOString();

/** A tab that reads the outbox before it reports. */
function reporter() {
  const tab = openTab({ user: me });
  const report = async () => {
    await tab.dispatch(loadOutbox());
    await tab.dispatch(reportOutbox());
  };
  return { ...tab, report };
}

describe('stuckEntries', () => {
  const stuck = (entries: Omit<OutboxEntry, 'seq'>[], isLeaving = false) =>
    stuckEntries(
      {
        lines: entries.filter(({ user_id }) => user_id === me.id).map((one) => lineOf(one as OutboxEntry)),
        others: otherUsersEntries(entries as OutboxEntry[], me.id),
      },
      { userId: me.id, now: serverNow().getTime(), isLeaving },
    );

  it('leaves out entries that are about to be sent', () => {
    expect(stuck([entryOf('a')]).size).toBe(0);
    expect(stuck([entryOf('a')], true).size).toBe(1);
  });

  it('counts all entries of a user if one is refused or old', () => {
    const occurred_at = minutesAgo(2);
    expect(stuck([entryOf('a', { state: 'refused' }), entryOf('b')]).get(me.id)?.count).toBe(2);
    expect(stuck([entryOf('a'), entryOf('b', { occurred_at })]).get(me.id)).toEqual({
      count: 2,
      oldestAt: occurred_at,
    });
  });

  it('counts those of another user apart', () => {
    const found = stuck([entryOf('a', { user_id: other.id }), entryOf('b')]);
    expect([...found.keys()]).toEqual([other.id]);
  });

  it('tells the oldest of another user', () => {
    const at = (minutes: number) => entryOf('a', { user_id: other.id, occurred_at: minutesAgo(minutes) });
    const [oldest] = [at(9)];
    expect(stuck([at(3), oldest as never]).get(other.id)?.oldestAt).toBe(oldest?.occurred_at);
  });
});

describe('reportOutbox', () => {
  it('tells the number and the oldest time, and nothing else', async () => {
    const { report } = reporter();
    const occurred_at = minutesAgo(9);
    await putEntry(entryOf('a', { state: 'refused', occurred_at }));
    await putEntry(entryOf('b', { user_id: other.id, occurred_at }));
    await report();
    expect(reports).toEqual([
      { count: 1, oldest_at: occurred_at },
      { count: 1, oldest_at: occurred_at, user_id: other.id },
    ]);
    expect([...devices]).toEqual([expect.stringMatching(/^[0-9a-f-]{32,36}$/)]);
  });

  it('does not repeat an unchanged report for five minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { report } = reporter();
      await putEntry(entryOf('a', { state: 'refused' }));
      await report();
      vi.advanceTimersByTime(4 * MINUTE);
      await report();
      expect(reports).toHaveLength(1);
      vi.advanceTimersByTime(MINUTE);
      await report();
      expect(reports).toHaveLength(2);
      await putEntry(entryOf('b'));
      await report();
      expect(reports[2]).toMatchObject({ count: 2 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('reports 0 once, after the last entry is gone', async () => {
    const { report } = reporter();
    await putEntry(entryOf('a', { state: 'refused' }));
    await report();
    await deleteEntry('a');
    await report();
    await report();
    expect(reports.map(({ count }) => count)).toEqual([1, 0]);
  });

  it('reports what changed while a report was being sent', async () => {
    const { report } = reporter();
    await putEntry(entryOf('a', { state: 'refused' }));
    let answer = () => {};
    const received = new Promise<void>((isReceived) => {
      server.use(
        http.put(
          '/api/devices/:device/outbox',
          async () => {
            isReceived();
            await new Promise<void>((resolve) => {
              answer = resolve;
            });
            return new HttpResponse(null, { status: 204 });
          },
          { once: true },
        ),
      );
    });
    const first = report();
    await received;
    await deleteEntry('a');
    await report();
    answer();
    await first;
    expect(reports).toMatchObject([{ count: 0 }]);
  });

  it('asks no store while the page goes away', async () => {
    const { dispatch, report } = reporter();
    await putEntry(entryOf('a'));
    await report();
    expect(reports).toEqual([]);
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await dispatch(reportOutbox({ isLeaving: true }));
    expect(reports).toMatchObject([{ count: 1 }]);
    expect(transaction).not.toHaveBeenCalled();
  });

  it('sends a failed report again', async () => {
    const { report } = reporter();
    await putEntry(entryOf('a', { state: 'refused' }));
    server.use(http.put('/api/devices/:device/outbox', () => HttpResponse.error(), { once: true }));
    await report();
    expect(reports).toEqual([]);
    await report();
    expect(reports).toHaveLength(1);
  });

  it.each([
    ['signed out', signedOut()],
    ['locked', locked()],
    ['without network', unreachable('2026-11-21T10:00:00Z')],
  ])('reports nothing while %s', async (_, action) => {
    const { dispatch, report } = reporter();
    await putEntry(entryOf('a', { state: 'refused' }));
    dispatch(action);
    await report();
    expect(reports).toEqual([]);
  });
});
