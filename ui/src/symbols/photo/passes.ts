import type { View } from './geometry';

/** How one rectangle of a picture is read. */
export interface Pass extends View {
  /** How grey becomes black or white. */
  threshold: 'LocalAverage' | 'GlobalHistogram';
  /** Only linear codes: symbols in two dimensions are read at any angle. */
  isLinear: boolean;
  /** With steeper edges. */
  isSharp: boolean;
}

/** More pixels than these take too long to read at once. */
const MAX_SIDE = 4000;
/** A part of the picture that is read by itself, and how much of it the next part repeats. */
const TILE = 1600;
const OVERLAP = 400;
/** Linear codes are read up to about 20° from level or upright. */
const TURNS = [0, 22.5, 45, 67.5];

/**
 * Yield the ways to read a picture, the most productive first.
 *
 * The caller may stop after any of them.
 */
export function* passesOf(width: number, height: number): Generator<Pass> {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  const whole = { x: 0, y: 0, width, height, scale, turn: 0, threshold: 'LocalAverage' } as const;
  yield { ...whole, isLinear: false, isSharp: false };
  for (const turn of TURNS) yield { ...whole, turn, isLinear: turn !== 0, isSharp: true };
  yield { ...whole, threshold: 'GlobalHistogram', isLinear: false, isSharp: false };
  if (scale < 1)
    for (const [x, y] of tilesOf(width, height))
      yield {
        ...whole,
        x,
        y,
        width: Math.min(TILE, width - x),
        height: Math.min(TILE, height - y),
        scale: 1,
        isLinear: false,
        isSharp: false,
      };
}

function tilesOf(width: number, height: number): [number, number][] {
  const starts = (length: number) => {
    const count = Math.max(1, Math.ceil((length - OVERLAP) / (TILE - OVERLAP)));
    const step = count > 1 ? (length - TILE) / (count - 1) : 0;
    return Array.from({ length: count }, (_, place) => Math.max(0, Math.round(place * step)));
  };
  return starts(height).flatMap((y) => starts(width).map((x): [number, number] => [x, y]));
}
