import type { HospitalClock } from './hospitalClock';

/** Convert a time that the hospital's clock shows, such as `2026-11-20T10:15`, to ISO 8601. */
export function zonedTimeToIso(clock: HospitalClock, shown: string) {
  const wanted = Date.parse(`${shown}Z`);
  const shownAt = (moment: number) => Date.parse(`${clock.read(moment)}Z`);
  // The first guess is an hour off if a clock change lies in between.
  const first = wanted - (shownAt(wanted) - wanted);
  return new Date(first - (shownAt(first) - wanted)).toISOString();
}
