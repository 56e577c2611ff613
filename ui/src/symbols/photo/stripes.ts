import type { Position, View } from './geometry';
import type { Grey } from './grey';

/** Pixels of a side of the squares in which directions are measured. */
const SQUARE = 32;
/** The least mean square of the steps between neighbours: less is noise. */
const MIN_STEP = 100;
/** How much stronger the steps across bars are than those along them, from 0 to 1. */
const MIN_LEAN = 0.6;
/** The largest angle between neighbouring squares of one code, as the cosine of its double. */
const SAME = Math.cos((2 * 15 * Math.PI) / 180);
/** Squares along a code, at least: less is an edge of paper. */
const MIN_LENGTH = 3;

/** Parts are enlarged, for narrow bars, up to as many pixels. */
const MAX_SCALE = 2;
const MAX_PIXELS = 4_000_000;
/** More places than these, the largest, take too long: they are a pattern. */
const MAX_PLACES = 300;

interface Square {
  column: number;
  row: number;
  /** The direction of the steps as a double angle, weighted with their strength. */
  cosine: number;
  sine: number;
}

/**
 * Find bars: squares of the picture with steps in one direction, beside each other.
 *
 * Each place is returned as the view in which its bars stand upright.
 */
export function findStripes(picture: Grey): View[] {
  const columns = Math.floor(picture.width / SQUARE);
  const rows = Math.floor(picture.height / SQUARE);
  const squares = new Map<number, Square>();
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const square = directionOf(picture, column, row);
      if (square) squares.set(row * columns + column, square);
    }
  const groups: Square[][] = [];
  for (const [key, first] of squares) {
    squares.delete(key);
    const group = [first];
    for (const one of group)
      for (let row = one.row - 1; row <= one.row + 1; row++)
        for (let column = one.column - 1; column <= one.column + 1; column++) {
          const next = squares.get(row * columns + column);
          if (!next || column < 0 || column >= columns || !isParallel(one, next)) continue;
          squares.delete(row * columns + column);
          group.push(next);
        }
    groups.push(group);
  }
  groups.sort((one, other) => other.length - one.length);
  return groups.flatMap((group) => placeOf(group) ?? []).slice(0, MAX_PLACES);
}

function directionOf({ data, width }: Grey, column: number, row: number): Square | null {
  let [xx, yy, xy] = [0, 0, 0];
  const start = Math.max(1, row * SQUARE) * width + Math.max(1, column * SQUARE);
  for (let line = 0; line < SQUARE - 2; line += 2)
    for (let at = start + line * width, end = at + SQUARE - 2; at < end; at += 2) {
      const x = (data[at + 1] as number) - (data[at - 1] as number);
      const y = (data[at + width] as number) - (data[at - width] as number);
      xx += x * x;
      yy += y * y;
      xy += x * y;
    }
  const samples = ((SQUARE - 2) / 2) ** 2;
  const [cosine, sine] = [xx - yy, 2 * xy];
  if (xx + yy < MIN_STEP * samples || Math.hypot(cosine, sine) < MIN_LEAN * (xx + yy)) return null;
  return { column, row, cosine, sine };
}

const isParallel = (one: Square, other: Square) =>
  one.cosine * other.cosine + one.sine * other.sine >=
  SAME * Math.hypot(one.cosine, one.sine) * Math.hypot(other.cosine, other.sine);

function placeOf(group: readonly Square[]): View | null {
  const sum = (of: (square: Square) => number) => group.reduce((total, square) => total + of(square), 0);
  const angle =
    Math.atan2(
      sum(({ sine }) => sine),
      sum(({ cosine }) => cosine),
    ) / 2;
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const middles = group.map(({ column, row }) => ({ x: (column + 0.5) * SQUARE, y: (row + 0.5) * SQUARE }));
  const along = middles.map(({ x, y }) => x * cosine + y * sine);
  const across = middles.map(({ x, y }) => y * cosine - x * sine);
  const [left, right] = [Math.min(...along), Math.max(...along)];
  const [top, bottom] = [Math.min(...across), Math.max(...across)];
  if (right - left < (MIN_LENGTH - 1) * SQUARE) return null;
  const [u, v] = [(left + right) / 2, (top + bottom) / 2];
  const [width, height] = [right - left + 3 * SQUARE, bottom - top + SQUARE];
  return {
    centre: { x: u * cosine - v * sine, y: u * sine + v * cosine },
    width,
    height,
    turn: (angle * 180) / Math.PI,
    scale: Math.min(MAX_SCALE, Math.sqrt(MAX_PIXELS / (width * height))),
  };
}

/** The least likeness of two lines across the same bars, from -1 to 1. */
const MIN_LIKENESS = 0.6;
/** Lines that may be unlike, as under a speck. */
const MAX_SPECK = 6;

/**
 * Extend what was read of upright bars to all of their height.
 *
 * A reader returns some lines of a linear code, with which two equal codes below each other would be one.
 */
export function barsAround(part: Grey, position: Position): Position {
  const { topLeft, topRight, bottomRight, bottomLeft } = position;
  const middle = Math.round((topLeft.y + bottomLeft.y) / 2);
  const [left, right] = [(topLeft.x + bottomLeft.x) / 2, (topRight.x + bottomRight.x) / 2].sort(
    (a, b) => a - b,
  );
  const read = bottomLeft.y - topLeft.y;
  const lean = read > MAX_SPECK ? (bottomLeft.x - topLeft.x) / read : 0;
  const lineAt = (row: number) => {
    const start = row * part.width + Math.round((left as number) + lean * (row - middle));
    return part.data.subarray(start, start + Math.round((right as number) - (left as number)));
  };
  const line = lineAt(middle);
  const end = (step: number) => {
    let last = middle;
    for (let row = middle; row >= 0 && row < part.height && Math.abs(row - last) <= MAX_SPECK; row += step)
      if (likeness(line, lineAt(row)) >= MIN_LIKENESS) last = row;
    return last;
  };
  const [top, bottom] = [end(-1), end(1)];
  const at = (x: number, y: number) => ({ x: x + lean * (y - middle), y });
  return {
    topLeft: at(left as number, top),
    topRight: at(right as number, top),
    bottomRight: at(right as number, bottom),
    bottomLeft: at(left as number, bottom),
  };
}

/** The least height of bars in an enlarged part, and their edges: lines of text have less. */
const MIN_HEIGHT = 60;
const MIN_EDGES = 20;
/** Steps of grey that are no edge. */
const FAINT = 15;

/** Return where a part without a symbol that was read has the bars of a linear code, or null. */
export function unreadBars({ data, width, height }: Grey): Position | null {
  const middle = Math.floor(height / 2);
  const line = data.subarray(middle * width, (middle + 1) * width);
  if (edgesOf(line) < MIN_EDGES) return null;
  const at = (x: number) => ({ x: x * width, y: middle });
  // The margin differs on both sides.
  const bars = barsAround(
    { data, width, height },
    { topLeft: at(0.3), topRight: at(0.7), bottomRight: at(0.7), bottomLeft: at(0.3) },
  );
  const [top, bottom] = [bars.topLeft.y, bars.bottomLeft.y];
  if (bottom - top < MIN_HEIGHT) return null;
  return {
    topLeft: { x: 0, y: top },
    topRight: { x: width, y: top },
    bottomRight: { x: width, y: bottom },
    bottomLeft: { x: 0, y: bottom },
  };
}

function edgesOf(line: Uint8Array): number {
  const mean = line.reduce((sum, value) => sum + value, 0) / line.length;
  let [edges, isBright] = [0, (line[0] as number) > mean];
  for (const value of line)
    if (isBright ? value < mean - FAINT : value > mean + FAINT) {
      isBright = !isBright;
      edges++;
    }
  return edges;
}

/** Return the correlation of two lines. */
function likeness(one: Uint8Array, other: Uint8Array): number {
  let [sum, otherSum, squares, otherSquares, products] = [0, 0, 0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    const [a, b] = [one[at] as number, other[at] ?? 0];
    sum += a;
    otherSum += b;
    squares += a * a;
    otherSquares += b * b;
    products += a * b;
  }
  const count = one.length;
  const spread = (squares * count - sum * sum) * (otherSquares * count - otherSum * otherSum);
  return spread > 0 ? (products * count - sum * otherSum) / Math.sqrt(spread) : 0;
}
