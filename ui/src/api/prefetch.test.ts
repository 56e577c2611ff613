import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { server } from '@/test/server';
import { fetchOrPrefetched, prefetch } from './prefetch';

const PATH = '/api/consumption-sheets/7/consumption-details?limit=100';
let answered = 0;

beforeEach(() => {
  answered = 0;
  server.use(
    http.get('/api/consumption-sheets/7/consumption-details', ({ request }) => {
      answered += 1;
      return HttpResponse.json({ whose: request.headers.get('Authorization'), time: answered });
    }),
  );
});
afterEach(() => {
  vi.useRealTimers();
});

const as = (token: string, language = 'es') => ({
  Authorization: `Bearer ${token}`,
  'Accept-Language': language,
});

const ask = async (headers: Record<string, string>, path = PATH, method = 'GET') => {
  const answer = await fetchOrPrefetched(
    new Request(new URL(path, window.location.origin), { headers, method }),
  );
  return answer.json();
};

it('gives a prefetched response to the first request for it', async () => {
  prefetch([PATH], as('a'));
  expect(await ask(as('a'))).toEqual({ whose: 'Bearer a', time: 1 });
  expect(answered).toBe(1);
  expect(await ask(as('a'))).toEqual({ whose: 'Bearer a', time: 2 });
});

it('refetches for another user, language or query', async () => {
  prefetch([PATH], as('a'));
  expect(await ask(as('b'))).toMatchObject({ whose: 'Bearer b' });
  prefetch([PATH], as('a'));
  await ask(as('a', 'en'));
  expect(answered).toBe(4);
  prefetch([PATH], as('a'));
  await ask(as('a'), PATH.replace('100', '20'));
  expect(answered).toBe(6);
  await ask(as('a'));
  expect(answered).toBe(6);
});

it('refetches when the response is old', async () => {
  prefetch([PATH], as('a'));
  vi.setSystemTime(Date.now() + 31_000);
  expect(await ask(as('a'))).toMatchObject({ time: 2 });
});

it('reports a network failure only to the first request', async () => {
  server.use(http.get('/api/consumption-sheets/7/consumption-details', () => HttpResponse.error()));
  prefetch([PATH], as('a'));
  await expect(ask(as('a'))).rejects.toThrow();
});
