import type { View } from './geometry';

/** A longer side takes too long to read at once. */
const MAX_SIDE = 4000;
/** How much of a part of the picture the next part repeats. */
const OVERLAP = 400;

/** Return the views in which a picture is read for symbols at any angle: all of it, and parts if it is large. */
export function viewsOf(width: number, height: number): View[] {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  const whole = { centre: { x: width / 2, y: height / 2 }, width, height, turn: 0, scale };
  if (scale === 1) return [whole];
  const parts = partsOf(height).flatMap(([y, high]) =>
    partsOf(width).map(([x, wide]) => ({
      centre: { x: x + wide / 2, y: y + high / 2 },
      width: wide,
      height: high,
      turn: 0,
      scale: 1,
    })),
  );
  return [whole, ...parts];
}

/** Divide a length into overlapping parts of equal length: the start and the length of each. */
function partsOf(length: number): [number, number][] {
  const count = Math.max(1, Math.ceil((length - OVERLAP) / (MAX_SIDE - OVERLAP)));
  const part = Math.min(length, MAX_SIDE);
  return Array.from({ length: count }, (_, place) => [
    Math.round((place * (length - part)) / Math.max(1, count - 1)),
    part,
  ]);
}
