import { expect, it, vi } from 'vitest';
import { onConnectivityChange, reportResponse, retryAfterMs } from './connectivity';
import { serverNow } from './serverClock';

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers });

it('sets the server clock from each response', () => {
  reportResponse(answer(200, { Date: new Date(Date.now() - 3_600_000).toUTCString() }));
  expect(serverNow().getTime() - Date.now()).toBeLessThan(-3_590_000);
});

it('waits for as long as Retry-After demands', () => {
  reportResponse(answer(200, { 'Retry-After': '9' }));
  expect(retryAfterMs()).toBe(0);
  reportResponse(answer(503, { 'Retry-After': '9' }));
  expect(retryAfterMs()).toBeGreaterThan(8_000);
});

it('reports whether the server answered', () => {
  const told = vi.fn();
  const stop = onConnectivityChange(told);
  reportResponse(answer(422));
  reportResponse(undefined);
  reportResponse(answer(502)); // from a load balancer
  expect(told.mock.calls).toEqual([[true], [false]]);
  stop();
  reportResponse(answer(200));
  expect(told).toHaveBeenCalledTimes(2);
});
