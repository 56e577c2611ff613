import { expect, it, vi } from 'vitest';
import { readServerDate, resetServerClock, serverNow } from './serverClock';

const dated = (ahead: number) => new Date(Date.now() + ahead).toUTCString();
const ahead = () => Math.round((serverNow().getTime() - Date.now()) / 1000);

it('returns the server’s time after a reload, too', () => {
  // In the middle of a second, with the clock stopped: no millisecond passes between two readings.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:00:00.250Z') });
  expect(ahead()).toBe(0);
  readServerDate(dated(-3_600_000));
  expect(ahead()).toBeGreaterThanOrEqual(-3600);
  expect(ahead()).toBeLessThanOrEqual(-3599);
  resetServerClock();
  expect(ahead()).toBeLessThanOrEqual(-3599);
  readServerDate(dated(0));
  expect(ahead()).toBe(0);
  expect(Object.keys(localStorage).filter((key) => key !== 'settings')).toEqual([]);
});
