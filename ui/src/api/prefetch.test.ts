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

it('hands over what was asked early, to the first who asks for it', async () => {
  prefetch([PATH], as('a'));
  expect(await ask(as('a'))).toEqual({ whose: 'Bearer a', time: 1 });
  expect(answered).toBe(1);
  expect(await ask(as('a'))).toEqual({ whose: 'Bearer a', time: 2 });
});

it('asks anew for somebody else, in another language, with another query', async () => {
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

it('asks anew where that was long ago', async () => {
  prefetch([PATH], as('a'));
  vi.setSystemTime(Date.now() + 31_000);
  expect(await ask(as('a'))).toMatchObject({ time: 2 });
});

it('tells whoever asks that the network gave no answer, and nobody else', async () => {
  server.use(http.get('/api/consumption-sheets/7/consumption-details', () => HttpResponse.error()));
  prefetch([PATH], as('a'));
  await expect(ask(as('a'))).rejects.toThrow();
});
