import type { Sighting } from './joined';

/** With fewer pixels for each module, a reader guesses or sees nothing. */
const MIN_MODULE_PIXELS = 3;

/** Return whether most symbols are so small in the picture that others may be missing. */
export function tooFewPixels(symbols: readonly Sighting[]): boolean {
  const known = symbols.flatMap(({ modulePixels }) => modulePixels ?? []).sort((a, b) => a - b);
  const median = known[Math.floor(known.length / 2)];
  return median !== undefined && median < MIN_MODULE_PIXELS;
}
