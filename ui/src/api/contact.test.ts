import { expect, it, vi } from 'vitest';
import { forgetContact, noteContact, onContact, quietFor, serverNow } from './contact';

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers });
const dated = (ahead: number) => answer(200, { Date: new Date(Date.now() + ahead).toUTCString() });
const ahead = () => Math.round((serverNow().getTime() - Date.now()) / 1000);

it('tells the server’s time, whatever the device’s clock says, and after a reload', () => {
  expect(ahead()).toBe(0);
  noteContact(dated(-3_600_000));
  expect(ahead()).toBeGreaterThanOrEqual(-3600);
  expect(ahead()).toBeLessThanOrEqual(-3599);
  forgetContact();
  expect(ahead()).toBeLessThanOrEqual(-3599);
  noteContact(dated(0));
  expect(ahead()).toBe(0);
  expect(localStorage).toHaveLength(0);
});

it('leaves the server alone for as long as it wants', () => {
  noteContact(answer(200, { 'Retry-After': '9' }));
  expect(quietFor()).toBe(0);
  noteContact(answer(503, { 'Retry-After': '9' }));
  expect(quietFor()).toBeGreaterThan(8_000);
});

it('tells whether anybody answered', () => {
  const told = vi.fn();
  const stop = onContact(told);
  noteContact(answer(422));
  noteContact(undefined);
  noteContact(answer(502)); // a balancer says so
  expect(told.mock.calls).toEqual([[true], [false]]);
  stop();
  noteContact(answer(200));
  expect(told).toHaveBeenCalledTimes(2);
});
