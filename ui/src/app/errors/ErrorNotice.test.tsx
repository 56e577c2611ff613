import { act, cleanup } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/problem';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { ErrorNotice } from './ErrorNotice';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function show(status: number) {
  const error = new ApiError({ status, messages: [] });
  const { store } = await render(<ErrorNotice error={error} home={null} />, { user: aNurse() });
  return () => store.getState().session.token;
}
const wait = (milliseconds: number) => act(async () => void vi.advanceTimersByTime(milliseconds));

it.each([401, 403])('signs out one second after a %d', async (status) => {
  const token = await show(status);
  await wait(999);
  expect(token()).toBe('token-1');
  await wait(1);
  expect(token()).toBeNull();
  expect(localStorage.getItem('token')).toBeNull();
  expect(localStorage.getItem('user')).toBeNull();
});

it.each([404, 409, 500])('does not sign out after a %d', async (status) => {
  const token = await show(status);
  await wait(60_000);
  expect(token()).toBe('token-1');
});

it('does not sign out after the page was left', async () => {
  const token = await show(403);
  cleanup();
  await wait(60_000);
  expect(token()).toBe('token-1');
});
