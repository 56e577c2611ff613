const USUAL = 5_000;
const WITH_OTHERS = 2_000;
const QUIET = 10_000;
/** The upper limit of the backoff while the server is unreachable. */
const AT_MOST = 60_000;

const MINUTE = 60_000;
const LATELY = 10 * MINUTE;
const LONG_AGO = 30 * MINUTE;

interface SheetPace {
  now: number;
  /** When another user last recorded on the sheet, if ever. */
  othersAt: number | undefined;
  /** When the sheet's last change was seen, or when it was opened. */
  changedAt: number;
  /** The number of consecutive requests without an answer. */
  misses: number;
}

/** Return the delay before the next poll of the sheet, in milliseconds. */
export function pollInterval({ now, othersAt, changedAt, misses }: SheetPace) {
  if (misses > 0) return Math.min(USUAL * 2 ** misses, AT_MOST);
  // abs(): this device's clock may be wrong.
  if (othersAt !== undefined && Math.abs(now - othersAt) < LATELY) return WITH_OTHERS;
  return now - changedAt < LONG_AGO ? USUAL : QUIET;
}

/**
 * Vary the delay by a fifth.
 *
 * The pages of a ward must not poll at the same time.
 */
export const jittered = (interval: number, random = Math.random()) =>
  Math.round(interval * (0.8 + 0.4 * random));
