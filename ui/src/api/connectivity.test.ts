import { expect, it, vi } from 'vitest';
import { onConnectivityChange, reportResponse, retryAfterMs } from './connectivity';
import { serverNow } from './serverClock';

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers });

it('sets the clock by each answer', () => {
  reportResponse(answer(200, { Date: new Date(Date.now() - 3_600_000).toUTCString() }));
  expect(serverNow().getTime() - Date.now()).toBeLessThan(-3_590_000);
});

it('leaves the server alone for as long as it wants', () => {
  reportResponse(answer(200, { 'Retry-After': '9' }));
  expect(retryAfterMs()).toBe(0);
  reportResponse(answer(503, { 'Retry-After': '9' }));
  expect(retryAfterMs()).toBeGreaterThan(8_000);
});

it('tells whether anybody answered', () => {
  const told = vi.fn();
  const stop = onConnectivityChange(told);
  reportResponse(answer(422));
  reportResponse(undefined);
  reportResponse(answer(502)); // a balancer says so
  expect(told.mock.calls).toEqual([[true], [false]]);
  stop();
  reportResponse(answer(200));
  expect(told).toHaveBeenCalledTimes(2);
});
