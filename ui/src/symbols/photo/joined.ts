import { centreOf, contains, type Quad, sidesOf } from './geometry';

/** A symbol that one pass saw, in the coordinates of the picture. */
export interface Sighting {
  /** As a scanner would send it; null if it was seen and not read. */
  text: string | null;
  corners: Quad;
  /** Pixels of the picture for each module, if known. */
  modulePixels: number | null;
  isLinear: boolean;
}

/**
 * Join what several passes saw into symbols: equal texts in one place are one.
 *
 * An unread symbol is left out where one was read.
 */
export function joined(sightings: readonly Sighting[]): Sighting[] {
  const symbols: Sighting[] = [];
  for (const one of sightings.filter(({ text }) => text !== null)) {
    const known = symbols.findIndex((other) => other.text === one.text && isSamePlace(one, other));
    if (known < 0) symbols.push(one);
    else if (isLarger(one, symbols[known] as Sighting)) symbols[known] = one;
  }
  for (const one of sightings.filter(({ text }) => text === null))
    if (!symbols.some((other) => isSamePlace(one, other))) symbols.push(one);
  return symbols;
}

/** Return whether two sightings are one symbol: the centre of one lies in the other. */
const isSamePlace = (one: Sighting, other: Sighting) =>
  contains(one.corners, centreOf(other.corners)) || contains(other.corners, centreOf(one.corners));

const isLarger = (one: Sighting, other: Sighting) => sidesOf(one.corners)[1] > sidesOf(other.corners)[1];
