/** The moment at which clocks in that time zone show this, such as `2026-11-20T10:15`; in ISO 8601. */
export function zonedTimeToIso(timeZone: string | undefined, shown: string) {
  const wanted = Date.parse(`${shown}Z`);
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const shownAt = (moment: number) => Date.parse(`${clock.format(moment).replace(' ', 'T')}Z`);
  // Where clocks are changed in between, the first try is an hour off.
  const first = wanted - (shownAt(wanted) - wanted);
  return new Date(first - (shownAt(first) - wanted)).toISOString();
}
