import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverNow } from '@/api/serverClock';
import type { OutboxEntry } from '@/device/outboxEntry';
import { locked, signedOut } from '@/session/session';
import { openTab } from '@/test/outbox';
import { aNurse, aSupervisor } from '@/test/people';
import { server } from '@/test/server';
import { deleteEntry, putEntry } from './entries';
import { unreachable } from './outboxSlice';
import { reportOutbox, stuckEntries } from './reporting';

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

describe('stuckEntries', () => {
  const stuck = (entries: Omit<OutboxEntry, 'seq'>[], isLeaving = false) =>
    stuckEntries(entries as OutboxEntry[], { userId: me.id, now: serverNow().getTime(), isLeaving });

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
});

describe('reportOutbox', () => {
  it('tells the number and the oldest time, and nothing else', async () => {
    const { dispatch } = openTab({ user: me });
    const occurred_at = minutesAgo(9);
    await putEntry(entryOf('a', { state: 'refused', occurred_at }));
    await putEntry(entryOf('b', { user_id: other.id, occurred_at }));
    await dispatch(reportOutbox());
    expect(reports).toEqual([
      { count: 1, oldest_at: occurred_at },
      { count: 1, oldest_at: occurred_at, user_id: other.id },
    ]);
    expect([...devices]).toEqual([expect.stringMatching(/^[0-9a-f-]{32,36}$/)]);
  });

  it('does not repeat an unchanged report for five minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { dispatch } = openTab({ user: me });
      await putEntry(entryOf('a', { state: 'refused' }));
      await dispatch(reportOutbox());
      vi.advanceTimersByTime(4 * MINUTE);
      await dispatch(reportOutbox());
      expect(reports).toHaveLength(1);
      vi.advanceTimersByTime(MINUTE);
      await dispatch(reportOutbox());
      expect(reports).toHaveLength(2);
      await putEntry(entryOf('b'));
      await dispatch(reportOutbox());
      expect(reports[2]).toMatchObject({ count: 2 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('reports 0 once, after the last entry is gone', async () => {
    const { dispatch } = openTab({ user: me });
    await putEntry(entryOf('a', { state: 'refused' }));
    await dispatch(reportOutbox());
    await deleteEntry('a');
    await dispatch(reportOutbox());
    await dispatch(reportOutbox());
    expect(reports.map(({ count }) => count)).toEqual([1, 0]);
  });

  it('sends a failed report again', async () => {
    const { dispatch } = openTab({ user: me });
    await putEntry(entryOf('a', { state: 'refused' }));
    server.use(http.put('/api/devices/:device/outbox', () => HttpResponse.error(), { once: true }));
    await dispatch(reportOutbox());
    expect(reports).toEqual([]);
    await dispatch(reportOutbox());
    expect(reports).toHaveLength(1);
  });

  it.each([
    ['signed out', signedOut()],
    ['locked', locked()],
    ['without network', unreachable('2026-11-21T10:00:00Z')],
  ])('reports nothing while %s', async (_, action) => {
    const { dispatch } = openTab({ user: me });
    await putEntry(entryOf('a', { state: 'refused' }));
    dispatch(action);
    await dispatch(reportOutbox());
    expect(reports).toEqual([]);
  });
});
