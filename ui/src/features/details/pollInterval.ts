const USUAL = 5_000;
const WITH_OTHERS = 2_000;
const QUIET = 10_000;
/** An unreachable server is asked less and less often. */
const AT_MOST = 60_000;

const MINUTE = 60_000;
const LATELY = 10 * MINUTE;
const LONG_AGO = 30 * MINUTE;

interface SheetPace {
  now: number;
  /** When somebody else recorded on the sheet last, if anybody did. */
  othersAt: number | undefined;
  /** When the sheet was seen to change last, or was opened. */
  changedAt: number;
  /** How often there was no answer, one after the other. */
  misses: number;
}

/** How long to wait before one looks again whether the sheet has changed, in milliseconds. */
export function pollInterval({ now, othersAt, changedAt, misses }: SheetPace) {
  if (misses > 0) return Math.min(USUAL * 2 ** misses, AT_MOST);
  // However wrong this device's clock is.
  if (othersAt !== undefined && Math.abs(now - othersAt) < LATELY) return WITH_OTHERS;
  return now - changedAt < LONG_AGO ? USUAL : QUIET;
}

/** A fifth more or less, so that the pages of a ward do not ask all at once. */
export const jittered = (interval: number, random = Math.random()) =>
  Math.round(interval * (0.8 + 0.4 * random));
