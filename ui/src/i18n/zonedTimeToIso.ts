/**
 * Convert a local time, such as `2026-11-20T10:15`, to ISO 8601.
 *
 * The time is that of clocks in the time zone.
 */
export function zonedTimeToIso(timeZone: string | undefined, shown: string) {
  const wanted = Date.parse(`${shown}Z`);
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const shownAt = (moment: number) => Date.parse(`${clock.format(moment).replace(' ', 'T')}Z`);
  // The first guess is an hour off if a clock change lies in between.
  const first = wanted - (shownAt(wanted) - wanted);
  return new Date(first - (shownAt(first) - wanted)).toISOString();
}
