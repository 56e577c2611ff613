import type { HospitalClock } from '@/i18n/hospitalClock';
import { zonedTimeToIso } from '@/i18n/zonedTimeToIso';

const HOUR_MS = 3_600_000;
/** How far back the server reads. */
export const LOOK_BACK_MS = 72 * HOUR_MS;

/** Return the last moment when the hospital's clock showed this time, such as `06:30`. */
export function lastMomentAt(time: string, now: Date, clock: HospitalClock) {
  const onDay = (moment: Date) => zonedTimeToIso(clock, `${clock.read(moment).slice(0, 10)}T${time}`);
  const today = onDay(now);
  return Date.parse(today) <= now.getTime() ? today : onDay(new Date(now.getTime() - 24 * HOUR_MS));
}

/** Return the moment in an address if the server would still read it. */
export function usableSince(since: string | null, now: Date) {
  const at = Date.parse(since ?? '');
  return since && at <= now.getTime() && at > now.getTime() - LOOK_BACK_MS ? since : undefined;
}
