import { useReadSettingsQuery } from '@/api/generatedSignIn';

/**
 * The clock on the hospital's wall.
 *
 * A browser that does not know the hospital's time zone, because it is older than the zone, shows times by the offset
 * from UTC that the zone has now.
 */
export interface HospitalClock {
  /** Whether the browser knows the time zone. */
  isKnown: boolean;
  /** The offset that is used if it does not. */
  offsetMinutes: number;
  /** What a formatter gets, with its moments from `at`. */
  timeZone: string | undefined;
  at: (moment: string | number | Date) => Date;
  /** Day and time of a moment as `2026-11-20T10:15:00`. */
  read: (moment: string | number | Date) => string;
}

const MINUTE_MS = 60_000;

const knows = (timeZone: string | undefined) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
};

const clocks = new Map<string, HospitalClock>();

/** Return the clock of a time zone; without one, that of the device. */
export function clockOf(zone: string | undefined, offsetMinutes = 0): HospitalClock {
  const key = `${zone} ${offsetMinutes}`;
  const clock = clocks.get(key) ?? makeClock(zone, offsetMinutes);
  clocks.set(key, clock);
  return clock;
}

function makeClock(zone: string | undefined, offsetMinutes: number): HospitalClock {
  const isKnown = knows(zone);
  const timeZone = isKnown ? zone : 'UTC';
  const at = (moment: string | number | Date) =>
    new Date(new Date(moment).getTime() + (isKnown ? 0 : offsetMinutes * MINUTE_MS));
  // Swedish clocks are written as ISO 8601.
  const written = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return {
    isKnown,
    offsetMinutes,
    timeZone,
    at,
    read: (moment) => written.format(at(moment)).replace(' ', 'T'),
  };
}

/** The hospital's clock, by its settings. */
export function useHospitalClock() {
  const { data } = useReadSettingsQuery();
  return clockOf(data?.time_zone, data?.utc_offset_minutes);
}
