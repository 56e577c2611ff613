import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { generatedApi } from '@/api/generated';
import { locked, signedIn, unlocked } from '@/session/session';
import { aNurse } from '@/test/people';
import { server } from '@/test/server';
import { storeFor } from '@/test/store';

const noAreas = { items: [], meta: { total: 0, page: 1, limit: 10, pages: 0 } };
const isLocked = () =>
  HttpResponse.json({ code: 'session_locked', message: 'La pantalla está bloqueada.' }, { status: 403 });

/** Serve areas of a session that is locked on the server or not, and record the calls. */
function serve({ isLockedThere = false, answersLock = true } = {}) {
  const there = { isLocked: isLockedThere, answersLock };
  const asked: string[] = [];
  server.use(
    http.post('/api/auth/lock', () => {
      asked.push('lock');
      if (!there.answersLock) return HttpResponse.error();
      there.isLocked = true;
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('/api/areas', () => {
      asked.push('areas');
      return there.isLocked ? isLocked() : HttpResponse.json(noAreas);
    }),
    http.post('/api/areas', () => {
      asked.push('create');
      return there.isLocked ? isLocked() : HttpResponse.json({}, { status: 201 });
    }),
  );
  return { there, asked };
}

const { listAreas, createArea } = generatedApi.endpoints;
const read = listAreas.initiate({ limit: 10 });
const create = createArea.initiate({ areaDraft: { name: 'UCI', code: 'UCI' } });

it('locks the screen if the session is locked, and keeps the session', async () => {
  serve({ isLockedThere: true });
  const store = storeFor(aNurse());
  const { error } = await store.dispatch(create);
  expect(error).toEqual(expect.objectContaining({ status: 403 }));
  expect(store.getState().session).toMatchObject({ token: 'token-1', locked: true, lockOwed: false });
});

it('repeats a query once the session is unlocked, and no change', async () => {
  const { there, asked } = serve({ isLockedThere: true });
  const store = storeFor(aNurse());
  const reading = store.dispatch(read);
  await store.dispatch(create);
  there.isLocked = false;
  store.dispatch(unlocked());
  expect((await reading).data).toEqual(noAreas);
  expect(asked.filter((one) => one === 'create')).toHaveLength(1);
});

it('gives the answer of a waiting query to no other user', async () => {
  const { there, asked } = serve({ isLockedThere: true });
  const store = storeFor(aNurse());
  const reading = store.dispatch(read);
  await store.dispatch(create);
  there.isLocked = false;
  store.dispatch(signedIn('token-2'));
  expect((await reading).data).toBeUndefined();
  expect(asked.filter((one) => one === 'areas')).toHaveLength(1);
});

it('asks nothing before the server knows of the lock', async () => {
  const { there, asked } = serve({ answersLock: false });
  const store = storeFor(aNurse());
  store.dispatch(locked());
  const [one, other] = await Promise.all([store.dispatch(read), store.dispatch(create)]);
  expect([one.error, other.error]).toMatchObject([{ status: 'FETCH_ERROR' }, { status: 'FETCH_ERROR' }]);
  expect(new Set(asked)).toEqual(new Set(['lock']));
  expect(store.getState().session.lockOwed).toBe(true);
  expect(localStorage.getItem('covered')).toBe('owed');

  there.answersLock = true;
  asked.length = 0;
  // A call that began before may still wait for the failing one.
  await vi.waitFor(async () => {
    const { error } = await store.dispatch(create);
    expect(error).toEqual(expect.objectContaining({ status: 403 }));
  });
  expect(asked).toContain('lock');
  expect(asked.indexOf('lock')).toBeLessThan(asked.indexOf('create'));
  expect(store.getState().session.lockOwed).toBe(false);
  expect(localStorage.getItem('covered')).toBe('yes');
});

it('does not lock again for an answer from before the unlocking', async () => {
  const store = storeFor(aNurse());
  store.dispatch(locked());
  server.use(
    http.post('/api/areas', () => {
      // The user unlocks while the answer is on its way.
      store.dispatch(unlocked());
      return isLocked();
    }),
  );
  await store.dispatch(create);
  expect(store.getState().session).toMatchObject({ token: 'token-1', locked: false });
});
