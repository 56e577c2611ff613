import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { generatedApi } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { server } from '@/test/server';
import { storeFor } from '@/test/store';
import { leaveScreen } from './leaving';
import { MAX_PARKED, type ParkedPerson, parkedPeople } from './parkedPeople';
import {
  accountRead,
  deviceBound,
  lockConfirmed,
  locked,
  parked,
  personSwitched,
  sessionChangedElsewhere,
  signedIn,
  signedOut,
  storedSession,
  tokenRenewed,
  unlocked,
} from './session';
import { removePerson, switchTo } from './unlocking';

const nurse = aNurse({ quick_unlock: true, unlock_by: ['password', 'pin'] });
const supervisor = aSupervisor({ quick_unlock: true });

const person = (userId: number, change: Partial<ParkedPerson> = {}): ParkedPerson => ({
  userId,
  name: `Persona ${userId}`,
  email: `${userId}@consumo.test`,
  token: `token-of-${userId}`,
  unlockBy: ['password', 'pin'],
  isBound: true,
  ...change,
});

/** Serve sign-outs, and record the tokens that they end. */
function serveLogout() {
  const ended: (string | null)[] = [];
  server.use(
    http.post('/api/auth/logout', ({ request }) => {
      ended.push(request.headers.get('Authorization'));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return ended;
}

/** Create a store whose nurse has a lock that the server knows. */
function lockedStore(user = nurse) {
  const store = storeFor(user);
  store.dispatch(deviceBound('token-1'));
  store.dispatch(locked());
  store.dispatch(lockConfirmed('token-1'));
  return store;
}

describe('parking', () => {
  it('keeps name and token of a locked session, nothing else of the account', () => {
    const store = lockedStore();
    store.dispatch(parked());
    expect(store.getState().session).toMatchObject({ token: null, user: null, locked: false, left: true });
    expect(parkedPeople()).toEqual([
      {
        userId: 3,
        name: 'Lucía Paredes',
        email: 'user@consumo.test',
        token: 'token-1',
        unlockBy: ['password', 'pin'],
        isBound: true,
      },
    ]);
    expect(localStorage.getItem('user')).toBeNull();
    expect(storeFor().getState().session.parked).toEqual(parkedPeople());
  });

  it.each([
    ['is not locked', (store: ReturnType<typeof storeFor>) => store.dispatch(signedIn('token-1'))],
    [
      'is not locked on the server yet',
      (store: ReturnType<typeof storeFor>) => {
        store.dispatch(tokenRenewed('token-1'));
        store.dispatch(locked());
      },
    ],
    [
      'belongs to a role without quick unlocking',
      (store: ReturnType<typeof storeFor>) => store.dispatch(accountRead(aNurse({ quick_unlock: false }))),
    ],
  ])('parks no session that %s', (_, prepare) => {
    const store = lockedStore();
    prepare(store);
    store.dispatch(parked());
    expect(parkedPeople()).toEqual([]);
  });

  it('keeps the latest eight, and ends the session of the first', async () => {
    const ended = serveLogout();
    const all = Array.from({ length: MAX_PARKED }, (_, place) => person(10 + place));
    localStorage.setItem('people', JSON.stringify(all));
    const store = lockedStore();
    expect(await store.dispatch(leaveScreen('/patients', () => {}))).toBe(true);
    expect(parkedPeople().map(({ userId }) => userId)).toEqual([3, 10, 11, 12, 13, 14, 15, 16]);
    expect(ended).toEqual(['Bearer token-of-17']);
  });

  it('does not leave before the server has locked the session', async () => {
    server.use(http.post('/api/auth/lock', () => HttpResponse.error()));
    const store = lockedStore();
    store.dispatch(locked());
    expect(await store.dispatch(leaveScreen('/patients', () => {}))).toBe(false);
    expect(store.getState().session.token).toBe('token-1');
  });
});

describe('switching', () => {
  it('goes to another person and back', async () => {
    const ended = serveLogout();
    const other = person(supervisor.id);
    localStorage.setItem('people', JSON.stringify([other]));
    const store = lockedStore();
    await store.dispatch(switchTo(other, '/patients/create'));
    expect(store.getState().session).toMatchObject({
      token: other.token,
      user: null,
      locked: false,
      isBound: true,
    });
    expect(parkedPeople().map(({ userId }) => userId)).toEqual([nurse.id]);
    store.dispatch(accountRead(supervisor));
    store.dispatch(locked());
    store.dispatch(lockConfirmed(other.token));
    await store.dispatch(switchTo(parkedPeople()[0] as ParkedPerson, '/'));
    expect(store.getState().session.token).toBe('token-1');
    expect(parkedPeople().map(({ userId, token }) => [userId, token])).toEqual([
      [supervisor.id, other.token],
    ]);
    expect(sessionStorage.getItem('left 3')).toBe('/patients/create');
    expect(ended).toEqual([]);
  });

  it('ends the session of who may not be parked', async () => {
    const ended = serveLogout();
    const store = lockedStore(aNurse({ quick_unlock: false }));
    await store.dispatch(switchTo(person(9), '/'));
    expect(parkedPeople()).toEqual([]);
    expect(ended).toEqual(['Bearer token-1']);
  });

  it('forgets the answers of the former person', async () => {
    server.use(http.get('/api/areas', () => HttpResponse.json({ items: [], meta: {} })));
    const store = lockedStore();
    await store.dispatch(generatedApi.endpoints.listAreas.initiate({ limit: 10 }));
    expect(Object.keys(store.getState().api.queries)).toHaveLength(1);
    store.dispatch(personSwitched(person(9)));
    expect(store.getState().api.queries).toEqual({});
  });
});

describe('leaving this device', () => {
  it('ends the session of a parked person, and keeps the current one', async () => {
    const ended = serveLogout();
    localStorage.setItem('people', JSON.stringify([person(9), person(8)]));
    const store = lockedStore();
    await store.dispatch(removePerson(person(9)));
    expect(ended).toEqual(['Bearer token-of-9']);
    expect(parkedPeople()).toEqual([person(8)]);
    expect(store.getState().session.token).toBe('token-1');
  });

  it('keeps the others when the current user signs out', () => {
    localStorage.setItem('people', JSON.stringify([person(9)]));
    const store = lockedStore();
    store.dispatch(signedOut());
    expect(parkedPeople()).toEqual([person(9)]);
    expect(localStorage.getItem('token')).toBeNull();
  });
});

describe('two tabs', () => {
  it('follow one another to another person', () => {
    localStorage.setItem('people', JSON.stringify([person(9)]));
    const one = lockedStore();
    const other = storeFor();
    one.dispatch(personSwitched(person(9)));
    other.dispatch(sessionChangedElsewhere(storedSession()));
    expect(other.getState().session).toMatchObject({ token: 'token-of-9', user: null, locked: false });
    expect(other.getState().session.parked.map(({ userId }) => userId)).toEqual([3]);
  });

  it('do not store what came from the other tab', () => {
    const one = lockedStore();
    const other = storeFor();
    one.dispatch(unlocked());
    const stored = { ...localStorage };
    other.dispatch(sessionChangedElsewhere(storedSession()));
    expect(other.getState().session.locked).toBe(false);
    expect({ ...localStorage, active: '' }).toEqual({ ...stored, active: '' });
  });

  it('do not store people that the other tab has removed', () => {
    localStorage.setItem('people', JSON.stringify([person(9)]));
    const one = lockedStore();
    const other = storeFor();
    one.dispatch({ type: 'session/personRemoved', payload: 9 });
    // Before the other tab hears of it.
    other.dispatch(locked());
    expect(parkedPeople()).toEqual([]);
  });
});

it.each(['', '{', '{}', 'null', '"x"'])('reads the people stored as %s', (stored) => {
  localStorage.setItem('people', stored);
  expect(storeFor().getState().session.parked).toEqual([]);
});
