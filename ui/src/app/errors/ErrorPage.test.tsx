import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { generatedSignIn } from '@/api/generatedSignIn';
import type { Store } from '@/app/store';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

const reload = vi.fn();

beforeEach(() => {
  reload.mockReset();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(console, 'error').mockImplementation(() => {}); // React reports what the error page catches
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
  server.use(http.get('/api/patients', () => HttpResponse.error()));
});
afterEach(() => void vi.useRealTimers());

/** Wait until no request for the settings is in progress: another one would join it. */
async function settle(store: Store) {
  const settings = generatedSignIn.endpoints.readSettings.select(undefined);
  while (settings(store.getState()).isLoading) await new Promise((done) => setTimeout(done, 5));
}

const openUnreachable = async () => {
  const { store } = await render({ at: '/patients' }, { user: aNurse() });
  expect(await screen.findByRole('heading', { name: 'Sin conexión' })).toBeVisible();
  expect(screen.queryByText(/inesperado/)).toBeNull();
  return store;
};

it('reloads the page once the network is back', async () => {
  await openUnreachable();
  window.dispatchEvent(new Event('online'));
  expect(reload).toHaveBeenCalledOnce();
});

it('reloads once the server answers, without an online event', async () => {
  const store = await openUnreachable();
  await settle(store);
  // The device could answer, too.
  localStorage.setItem('settings', JSON.stringify({ currency: 'USD' }));
  let isDown = true;
  let asked = 0;
  server.use(
    http.get('/api/settings', () => {
      asked += 1;
      return isDown ? HttpResponse.error() : undefined;
    }),
  );
  await vi.advanceTimersByTimeAsync(15_000);
  await settle(store);
  expect(asked).toBe(1);
  isDown = false;
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(15_000);
  await settle(store);
  expect(reload).toHaveBeenCalledOnce();
});
