import { configureStore } from '@reduxjs/toolkit';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, it, vi } from 'vitest';
import { api } from '@/api/base';
import type { ProductView } from '@/api/generated';
import { loadMessages } from '@/i18n/catalogue';
import { accountRead, sessionReducer, signedIn } from '@/session/session';
import { aNurse } from '@/test/people';
import { server } from '@/test/server';
import './listener';
import { outboxMiddleware } from './middleware';
import {
  abandoned,
  type DetailValues,
  dropped,
  entered,
  NOTHING_SCANNED,
  opened,
  outboxOf,
  outboxReducer,
  refused,
  retried,
  setAside,
  typed,
} from './outbox';
import { recallUnrecorded } from './storage';

const sheetId = 1;
const path = '/api/consumption-sheets/1/consumption-details';
const category = { id: 1, code: 'GR', name: 'Guantes' };
const product = { id: 1, name: 'Gasa', price: 0.35, category } as ProductView;
const values: DetailValues = {
  product_id: 1,
  product,
  quantity: 2,
  staff_id: null,
  staff: null,
  area_id: null,
  ...NOTHING_SCANNED,
};

beforeAll(() => loadMessages('es'));

function open() {
  const store = configureStore({
    reducer: { session: sessionReducer, outbox: outboxReducer, [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults().prepend(outboxMiddleware.middleware).concat(api.middleware),
  });
  const user = aNurse();
  store.dispatch(signedIn('token-1'));
  store.dispatch(accountRead(user));
  store.dispatch(opened({ sheetId, stored: { lines: [], begun: null, scans: [] } }));
  const stored = () => recallUnrecorded(user.id, sheetId);
  const statuses = () =>
    outboxOf(store.getState(), sheetId).lines.map(({ key, status }) => `${key} ${status}`);
  return { ...store, stored, statuses };
}

/** Answers one after the other; each request waits for its answer. */
function serve() {
  const waiting: ((answer: Response) => void)[] = [];
  const keys: (string | null)[] = [];
  server.use(
    http.post(path, ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return new Promise<Response>((resolve) => waiting.push(resolve)) as Promise<never>;
    }),
  );
  return { keys, answer: (answer: Response) => waiting.shift()?.(answer) };
}
const created = (id: number) => HttpResponse.json({ id, version: 1 }, { status: 201 });

it('sends one after the other, each with its own key, and again with the same', async () => {
  const { keys, answer } = serve();
  const { dispatch, statuses } = open();
  for (const key of ['a', 'b']) dispatch(entered({ sheetId, key, values }));
  await vi.waitFor(() => expect(keys).toEqual(['a']));
  answer(HttpResponse.error());
  await vi.waitFor(() => expect(statuses()).toEqual(['a unanswered', 'b pending']));
  dispatch(retried({ sheetId }));
  await vi.waitFor(() => expect(keys).toEqual(['a', 'a']));
  answer(created(7));
  await vi.waitFor(() => expect(keys).toEqual(['a', 'a', 'b']));
  answer(
    HttpResponse.json({ message: ['No.'], errors: [{ field: 'quantity', message: 'No.' }] }, { status: 422 }),
  );
  await vi.waitFor(() => expect(statuses()).toEqual(['a recorded', 'b refused']));
});

it('stores what is not recorded with every step, and no price', async () => {
  serve();
  const { dispatch, stored } = open();
  const held = () => [
    ...stored().lines.map(({ key, status }) => `${key} ${status}`),
    stored().begun?.quantity,
  ];
  dispatch(entered({ sheetId, key: 'a', values }));
  dispatch(setAside({ sheetId, key: 'b', values }));
  dispatch(typed({ sheetId, values: { ...values, quantity: 9 } }));
  expect(held()).toEqual(['a leftOver', 'b setAside', 9]);
  expect(JSON.stringify(sessionStorage)).not.toMatch(/0\.35|GR/);
  dispatch(dropped({ sheetId, key: 'b' }));
  expect(held()).toEqual(['a leftOver', 9]);
  dispatch(abandoned({ sheetId }));
  expect(sessionStorage).toHaveLength(0);
});

it('keeps what is stored when the session ends, whatever comes later', async () => {
  const { keys } = serve();
  const { dispatch, stored } = open();
  dispatch(entered({ sheetId, key: 'a', values }));
  await vi.waitFor(() => expect(keys).toEqual(['a']));
  dispatch(api.util.resetApiState());
  dispatch(typed({ sheetId, values: null }));
  dispatch(refused({ sheetId, key: 'a', messages: [] }));
  expect(stored().lines.map(({ key }) => key)).toEqual(['a']);
});
