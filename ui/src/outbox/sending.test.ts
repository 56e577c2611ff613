import { HttpResponse, http } from 'msw';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '@/api/tags';
import { storePatience } from '@/device/database';
import { loadMessages } from '@/i18n/messages';
import { signedIn, signedOut } from '@/session/session';
import { toast } from '@/shared/ui/toast';
import { COST } from '@/test/canaries';
import { openTab, valuesOf } from '@/test/outbox';
import { aNurse, aSupervisor } from '@/test/people';
import { server } from '@/test/server';
import { allEntries, changeEntry, deleteEntry } from './entries';
import { runOutbox } from './running';
import { broadcast } from './tabChannel';
import { enqueue, loadOutbox, takeBack } from './thunks';

beforeAll(() => loadMessages('es'));

interface Got {
  sheet: number;
  key: string;
  token: string;
  quantity?: number;
  items?: { quantity: number; occurred_at?: string }[];
  kit_id?: number;
  occurred_at: string;
  url: string;
}

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.useRealTimers();
});

/** Fake a server that records once per key, unless `answer` responds otherwise. */
let got: Got[];
let recorded: Map<string, Got>;
let answer: (one: Got) => Response | Promise<Response | undefined> | undefined;
beforeEach(() => {
  got = [];
  recorded = new Map();
  answer = () => undefined;
  const take = async ({ request, params }: { request: Request; params: Record<string, unknown> }) => {
    const one = {
      sheet: Number(params.sheet),
      key: request.headers.get('Idempotency-Key') ?? '',
      token: request.headers.get('Authorization')?.replace('Bearer ', '') ?? '',
      url: request.url.split('/').at(-1) ?? '',
      ...((await request.json()) as object),
    } as Got;
    got.push(one);
    const other = await answer(one);
    if (other) return other as never;
    if (!recorded.has(one.key)) recorded.set(one.key, one);
    const id = 100 + [...recorded.keys()].indexOf(one.key);
    const detail = { id, version: 1, quantity: one.quantity, product: { name: 'Gasa' } };
    const body = one.items ? { items: one.items.map(() => detail) } : detail;
    return HttpResponse.json(body, { status: 201 }) as never;
  };
  const of = '/api/consumption-sheets/:sheet';
  server.use(
    http.post(`${of}/consumption-details`, take),
    http.post(`${of}/consumption-details/several`, take),
    http.post(`${of}/late-entries`, take),
  );
});

/** A promise that waits for `release`. */
function hold() {
  let release = () => {};
  const until = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined);
  });
  return { until, release };
}

function tab(options?: Parameters<typeof openTab>[0]) {
  const opened = openTab(options);
  ends.push(opened.close);
  return opened;
}
/** Wait for pending promises without advancing fake timers. */
const drained = () => new Promise((resolve) => setImmediate(resolve));
const quantities = () => got.map(({ quantity }) => quantity);
const refuse = (code: string) =>
  HttpResponse.json(
    { message: ['No.'], errors: [{ field: 'quantity', code, message: 'No.' }] },
    { status: 422 },
  );

it('stores an entry, shows it, and then sends it', async () => {
  const { record, lines } = tab();
  const steps: unknown[] = [];
  answer = async () => {
    steps.push((await allEntries()).length, lines());
    return undefined;
  };
  await record(2.5);
  expect(lines()[0]).toMatch(/2\.5 (waiting|sending)/);
  await vi.waitFor(() => expect(lines()).toEqual(['2.5 recorded']));
  expect(steps).toEqual([1, ['2.5 sending']]);
  expect(await allEntries()).toEqual([]);
});

it('stores exact digits, time and user, but no price', async () => {
  answer = () => HttpResponse.error();
  const { record } = tab();
  await record(999999.999);
  const [entry] = await allEntries();
  expect(entry).toMatchObject({ user_id: aNurse().id, user_name: 'Lucía P.', seq: 1, sheet_id: 1 });
  expect(entry?.items).toMatchObject([{ quantity: '999999.999' }]);
  expect(JSON.stringify(entry?.items)).not.toMatch(COST);
  expect(JSON.stringify(entry?.items)).not.toMatch(/price|category/);
  expect(Math.abs(Date.parse(entry?.occurred_at ?? '') - Date.now())).toBeLessThan(60_000);
});

it('sends in order by sheet, and sheets do not wait', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  answer = async ({ quantity }) => {
    if (quantity === 1) await held;
    return undefined;
  };
  const { record } = tab();
  for (const quantity of [1, 2, 3]) await record(quantity);
  for (const quantity of [7, 8, 9]) await record(quantity, { sheet: 2 });
  await vi.waitFor(() => expect(quantities()).toEqual([1, 7, 8, 9]));
  release();
  await vi.waitFor(() => expect(quantities()).toEqual([1, 7, 8, 9, 2, 3]));
});

it('retries with the same key and body, and records once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let failures = 3;
  answer = (one) => {
    if (failures === 0) return undefined;
    failures -= 1;
    // It arrived, but the response was lost.
    recorded.set(one.key, one);
    return HttpResponse.error();
  };
  const { record, lines, atRest } = tab();
  await record(1);
  await atRest();
  for (const [tries, wait] of [2_000, 4_000, 8_000].entries()) {
    expect(lines()).toEqual(['1 waiting']);
    await vi.advanceTimersByTimeAsync(wait - 10);
    expect(got).toHaveLength(tries + 1);
    await vi.advanceTimersByTimeAsync(10);
    await vi.waitFor(() => expect(got).toHaveLength(tries + 2));
    await vi.waitFor(() => expect(lines()).not.toEqual(['1 sending']));
    await drained();
  }
  await vi.waitFor(() => expect(lines()).toEqual(['1 recorded']));
  expect(new Set(got.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(recorded.size).toBe(1);
});

it('waits for Retry-After', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  answer = () =>
    got.length > 1
      ? undefined
      : HttpResponse.json({ message: 'Later.' }, { status: 429, headers: { 'Retry-After': '30' } });
  const { record, atRest } = tab();
  await record(1);
  await atRest();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(got).toHaveLength(1);
});

it('continues after a refusal, and replaces the corrected one', async () => {
  answer = ({ quantity }) => (quantity === 1 ? refuse('x') : undefined);
  const { record, lines, getState, dispatch, send } = tab();
  await record(1);
  await record(2);
  await vi.waitFor(() => expect(lines()).toEqual(['1 refused', '2 recorded']));
  expect(await allEntries()).toMatchObject([{ state: 'refused', problem: [{ code: 'x', text: 'No.' }] }]);
  await send();
  expect(got).toHaveLength(2);
  const key = getState().outbox.lines[0]?.key as string;
  await dispatch(enqueue({ sheetId: 1, items: [valuesOf(5, { corrects: key })] }));
  await send();
  expect(quantities()).toEqual([1, 2, 5]);
  expect(got[2]?.key).not.toBe(key);
  expect(await allEntries()).toEqual([]);
});

it('sends several lines as one batch with their kit', async () => {
  const { dispatch, send, lines } = tab();
  await dispatch(enqueue({ sheetId: 1, items: [valuesOf(1), valuesOf(2)], kitId: 6 }));
  await send();
  expect(got).toMatchObject([{ url: 'several', kit_id: 6, items: [{ quantity: 1 }, { quantity: 2 }] }]);
  expect(got[0]?.items?.[0]?.occurred_at).toBe(got[0]?.items?.[1]?.occurred_at);
  expect(lines()).toEqual(['1 recorded']);
});

it('sends what an area used it for, also with a late entry', async () => {
  answer = ({ url, quantity }) =>
    url !== 'late-entries' && quantity !== 2 ? refuse('sheet.closed') : undefined;
  const { dispatch, send, lines } = tab();
  await dispatch(enqueue({ sheetId: 1, items: [valuesOf(2, { use_reason: 'cleaning' })] }));
  await dispatch(enqueue({ sheetId: 1, items: [valuesOf(3, { use_reason: 'crash_cart' })] }));
  // Entries of a patient, as those of an earlier version, have none.
  expect((await allEntries()).map(({ use_reason }) => use_reason)).toEqual(['cleaning', 'crash_cart']);
  await send();
  await vi.waitFor(() => expect(lines()).toEqual(['3 late', '2 recorded']));
  expect(got).toMatchObject([
    { url: 'consumption-details', quantity: 2, use_reason: 'cleaning' },
    { url: 'consumption-details', quantity: 3, use_reason: 'crash_cart' },
    { url: 'late-entries', items: [{ quantity: 3, use_reason: 'crash_cart' }] },
  ]);
});

it('becomes a late entry with the same key on a closed sheet', async () => {
  answer = ({ url }) => (url === 'late-entries' ? undefined : refuse('sheet.closed'));
  const { record, lines } = tab();
  await record(4);
  await vi.waitFor(() => expect(lines()).toEqual(['4 late']));
  expect(got).toMatchObject([
    { url: 'consumption-details', quantity: 4 },
    { url: 'late-entries', items: [{ quantity: 4 }], key: got[0]?.key, occurred_at: got[0]?.occurred_at },
  ]);
  expect(await allEntries()).toEqual([]);
});

it('records on a reopened sheet, and drops earlier late ones', async () => {
  let late = ['sheet.not_closed', 'late_entry.entered'];
  answer = ({ url, quantity }) => {
    if (url === 'late-entries') {
      const [code = '', ...rest] = late;
      late = rest;
      return refuse(code);
    }
    return quantity === 1 && got.length > 1 ? undefined : refuse('sheet.closed');
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { record, lines, atRest } = tab();
  await record(1);
  await atRest();
  expect(lines()).toEqual(['1 waiting']);
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(lines()).toEqual(['1 recorded']));
  await record(2);
  await vi.waitFor(() => expect(lines()).toEqual(['1 recorded']));
  await vi.waitFor(async () => expect(await allEntries()).toEqual([]));
});

it('sends the entry of a crashed tab from the next one', async () => {
  const first = tab();
  await first.dispatch(enqueue({ sheetId: 1, items: [valuesOf(3)] }));
  const next = tab();
  await next.send();
  expect(quantities()).toEqual([3]);
  await first.dispatch(loadOutbox());
  expect(first.lines()).toEqual([]);
});

it('hides entries from other users, who cannot send them', async () => {
  answer = () => HttpResponse.error();
  const nurse = tab();
  await nurse.record(3);
  await nurse.record(4);
  await vi.waitFor(() => expect(got).toHaveLength(1));
  await nurse.close();
  nurse.dispatch(signedOut());
  nurse.dispatch(api.util.resetApiState());
  const other = tab({ user: aSupervisor(), token: 'token-2' });
  answer = () => undefined;
  await other.send();
  expect(other.lines()).toEqual([]);
  const { others } = other.getState().outbox;
  expect(others).toMatchObject([{ name: 'Lucía P.', count: 2, since: expect.any(String) }]);
  expect(JSON.stringify(others)).not.toContain('Gasa');
  expect(got).toHaveLength(1);
  const back = tab({ token: 'token-3' });
  await back.send();
  expect(quantities()).toEqual([3, 3, 4]);
  expect(got[1]?.token).toBe('token-3');
});

it('does not send with the token of the next user', async () => {
  const { dispatch, send } = tab();
  await dispatch(enqueue({ sheetId: 1, items: [valuesOf(3)] }));
  const sending = send();
  dispatch(signedIn('token-of-another'));
  await sending;
  expect(got).toEqual([]);
});

describe('undoing', () => {
  /** Serve the voiding of lines; `fails` answers instead. */
  function serveVoiding() {
    const voiding = { ids: [] as number[], fails: () => undefined as Response | undefined };
    server.use(
      http.delete('/api/consumption-details/:id', ({ params, request }) => {
        const failure = voiding.fails();
        if (failure) return failure as never;
        expect(request.headers.get('If-Match')).toBe('"1"');
        voiding.ids.push(Number(params.id));
        return new HttpResponse(null, { status: 204 }) as never;
      }),
    );
    return voiding;
  }
  const lastKey = ({ getState }: ReturnType<typeof tab>) => getState().outbox.lines.at(-1)?.key as string;

  it('takes out an entry that was never sent', async () => {
    const one = tab();
    await one.dispatch(enqueue({ sheetId: 1, items: [valuesOf(1)] }));
    await one.dispatch(takeBack(lastKey(one)));
    expect(one.lines()).toEqual([]);
    await one.send();
    expect(got).toEqual([]);
    expect(await allEntries()).toEqual([]);
  });

  it('voids a line that is being sent once it is recorded', async () => {
    const voiding = serveVoiding();
    const held = hold();
    answer = () => held.until;
    const one = tab();
    await one.record(1);
    await vi.waitFor(() => expect(got).toHaveLength(1));
    await one.dispatch(takeBack(lastKey(one)));
    expect(one.getState().outbox.lines).toMatchObject([{ status: 'sending', isUndone: true }]);
    held.release();
    await vi.waitFor(() => expect(one.lines()).toEqual([]));
    expect(voiding.ids).toEqual([100]);
    expect(await allEntries()).toEqual([]);
  });

  it('voids a line whose answers were lost, after a reload too', async () => {
    const voiding = serveVoiding();
    answer = (sentNow) => {
      recorded.set(sentNow.key, sentNow);
      return HttpResponse.error();
    };
    const one = tab();
    await one.record(1);
    await one.atRest();
    expect(one.lines()).toEqual(['1 waiting']);
    await one.dispatch(takeBack(lastKey(one)));
    await one.close();
    answer = () => undefined;
    voiding.fails = () => HttpResponse.error();
    const next = tab();
    await next.send();
    expect(next.getState().outbox.lines).toMatchObject([{ status: 'waiting', isUndone: true }]);
    await next.close();
    voiding.fails = () => undefined;
    const last = tab();
    await last.send();
    expect(last.lines()).toEqual([]);
    expect(voiding.ids).toEqual([100]);
    expect(recorded.size).toBe(1);
    expect(await allEntries()).toEqual([]);
  });

  it('in another tab voids what this one is sending', async () => {
    const voiding = serveVoiding();
    const held = hold();
    answer = () => held.until;
    const one = tab();
    await one.record(1);
    await vi.waitFor(() => expect(got).toHaveLength(1));
    const other = tab();
    await other.dispatch(loadOutbox());
    await other.dispatch(takeBack(lastKey(other)));
    held.release();
    await vi.waitFor(() => expect(voiding.ids).toEqual([100]));
    await vi.waitFor(async () => expect(await allEntries()).toEqual([]));
  });

  it('voids what another tab recorded in the same moment', async () => {
    const voiding = serveVoiding();
    const one = tab();
    ends.push(runOutbox(one));
    await one.dispatch(enqueue({ sheetId: 1, items: [valuesOf(1)] }));
    const [entry] = await allEntries();
    const key = entry?.key as string;
    // The other tab has it recorded, and its message is on its way.
    await changeEntry(key, { tries: 1 });
    await deleteEntry(key);
    const undoing = one.dispatch(takeBack(key));
    broadcast({
      what: 'recorded',
      userId: aNurse().id,
      key,
      details: [{ id: 100, version: 1, product: { name: 'Gasa' } } as never],
    });
    await undoing;
    await vi.waitFor(() => expect(voiding.ids).toEqual([100]));
    await vi.waitFor(() => expect(one.lines()).toEqual([]));
  });

  it('submits no late entry', async () => {
    const held = hold();
    answer = async () => {
      await held.until;
      return refuse('sheet.closed');
    };
    const one = tab();
    await one.record(1);
    await vi.waitFor(() => expect(got).toHaveLength(1));
    await one.dispatch(takeBack(lastKey(one)));
    held.release();
    await vi.waitFor(() => expect(one.lines()).toEqual([]));
    expect(got.map(({ url }) => url)).toEqual(['consumption-details']);
  });

  it('says why a line stays on the sheet', async () => {
    const voiding = serveVoiding();
    voiding.fails = () => refuse('sheet.closed');
    const told = vi.spyOn(toast, 'error');
    const held = hold();
    answer = () => held.until;
    const one = tab();
    await one.record(1);
    await vi.waitFor(() => expect(got).toHaveLength(1));
    await one.dispatch(takeBack(lastKey(one)));
    held.release();
    await vi.waitFor(() => expect(told).toHaveBeenCalledWith('No.', { autoClose: false }));
    await vi.waitFor(async () => expect(await allEntries()).toEqual([]));
  });
});

it('sends from one of two tabs, and both show the result', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  answer = async () => {
    await held;
    return undefined;
  };
  const [one, other] = [tab(), tab()];
  for (const each of [one, other]) ends.push(runOutbox(each));
  await one.record(1);
  await other.record(2);
  await one.record(3);
  await vi.waitFor(() => expect(other.lines()).toHaveLength(3));
  expect(quantities()).toEqual([1]);
  release();
  await vi.waitFor(() => expect(quantities()).toEqual([1, 2, 3]));
  await vi.waitFor(() => expect(other.lines().sort()).toEqual(['1 recorded', '2 recorded', '3 recorded']));
  expect(other.getState().outbox.sheets[1]?.recordedIds).toEqual([100, 101, 102]);
  expect(await allEntries()).toEqual([]);
});

it('sends on reconnect, and when the page becomes visible', async () => {
  answer = () => HttpResponse.error();
  const one = tab();
  ends.push(runOutbox(one));
  await one.record(1);
  await vi.waitFor(() => expect(one.getState().outbox.unreachableSince).not.toBeNull());
  await vi.waitFor(() => expect(one.lines()).toEqual(['1 waiting']));
  await vi.waitFor(() => {
    document.dispatchEvent(new Event('visibilitychange'));
    expect(got).toHaveLength(2);
  });
  await vi.waitFor(() => expect(one.lines()).toEqual(['1 waiting']));
  answer = () => undefined;
  await vi.waitFor(() => {
    window.dispatchEvent(new Event('online'));
    expect(one.lines()).toEqual(['1 recorded']);
  });
  expect(one.getState().outbox.unreachableSince).toBeNull();
});

it('sends at once, and warns, in a browser without storage', async () => {
  const spy = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('private', 'InvalidStateError');
  });
  const one = tab();
  await one.record(1);
  await vi.waitFor(() => expect(one.lines()).toEqual(['1 recorded']));
  expect(one.getState().outbox.isKept).toBe(false);
  spy.mockRestore();
});

describe('a silent store of the device', () => {
  beforeEach(() => {
    const usual = storePatience.ms;
    storePatience.ms = 300;
    return () => {
      storePatience.ms = usual;
    };
  });

  /** Let no request be answered from now on, as in WebKit after a page that went away within a transaction. */
  function hangStore() {
    for (const name of ['get', 'put', 'count', 'getAll', 'delete'] as const)
      vi.spyOn(IDBObjectStore.prototype, name).mockImplementation(() => new IDBRequest());
    for (const name of ['get', 'getKey'] as const)
      vi.spyOn(IDBIndex.prototype, name).mockImplementation(() => new IDBRequest());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  }
  /** Await what a store is asked for, and let the patience with it pass. */
  async function outwait<Answer>(asked: Promise<Answer>) {
    await vi.advanceTimersByTimeAsync(1_500);
    return asked;
  }

  it('has the line sent at once, visible until then', async () => {
    const one = tab();
    await one.dispatch(loadOutbox());
    hangStore();
    const held = hold();
    answer = () => held.until;
    await outwait(one.record(1));
    expect(one.lines()[0]).toMatch(/1 (waiting|sending)/);
    await vi.waitFor(() => expect(got).toHaveLength(1));
    expect(one.lines()).toEqual(['1 sending']);
    expect(one.getState().outbox.isKept).toBe(false);
    held.release();
    await vi.waitFor(() => expect(one.lines()).toEqual(['1 recorded']));
    expect(await allEntries()).toEqual([]);
  });

  it('sends what it took before, and shows it until then', async () => {
    const one = tab();
    await one.dispatch(enqueue({ sheetId: 1, items: [valuesOf(1)] }));
    hangStore();
    await outwait(one.dispatch(loadOutbox()));
    expect(one.lines()).toEqual(['1 waiting']);
    await one.send();
    expect(one.lines()).toEqual(['1 recorded']);
    expect(quantities()).toEqual([1]);
  });

  it('has an undone line taken out', async () => {
    const one = tab();
    await one.dispatch(enqueue({ sheetId: 1, items: [valuesOf(1)] }));
    hangStore();
    await outwait(one.dispatch(takeBack(one.getState().outbox.lines[0]?.key as string)));
    await one.send();
    expect(got).toEqual([]);
    expect(one.lines()).toEqual([]);
  });
});

it('continues in the next session of the same user', async () => {
  answer = () => HttpResponse.json({ message: 'Sign in.' }, { status: 401 });
  const first = tab();
  await first.record(6);
  await vi.waitFor(() => expect(first.getState().session.token).toBeNull());
  await vi.waitFor(async () => expect(await allEntries()).toMatchObject([{ state: 'waiting' }]));
  answer = () => undefined;
  const next = tab({ user: aNurse(), token: 'token-2' });
  await next.send();
  expect(got.map(({ key, token }) => [key, token])).toEqual([
    [got[0]?.key, 'token-1'],
    [got[0]?.key, 'token-2'],
  ]);
});
