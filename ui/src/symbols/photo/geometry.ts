import type { Point } from '../centredResult';

/** The corners of a symbol, in turn. */
export type Quad = readonly [Point, Point, Point, Point];

/** The corners of a symbol as the reader names them. */
export type Position = Record<'topLeft' | 'topRight' | 'bottomRight' | 'bottomLeft', Point>;

export const quadOf = ({ topLeft, topRight, bottomRight, bottomLeft }: Position): Quad => [
  topLeft,
  topRight,
  bottomRight,
  bottomLeft,
];

export const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);

export function centreOf(quad: Quad): Point {
  const mean = (of: (point: Point) => number) => quad.reduce((sum, corner) => sum + of(corner), 0) / 4;
  return { x: mean(({ x }) => x), y: mean(({ y }) => y) };
}

/** Return the lengths of the two directions of a symbol, the longer one first. */
export function sidesOf([a, b, c, d]: Quad): [number, number] {
  const across = (distance(a, b) + distance(c, d)) / 2;
  const down = (distance(b, c) + distance(d, a)) / 2;
  return across >= down ? [across, down] : [down, across];
}

/** Return whether a point lies in a quadrangle. */
export function contains(quad: Quad, { x, y }: Point): boolean {
  const sides = quad.map((one, place) => {
    const next = quad[(place + 1) % 4] as Point;
    return Math.sign((next.x - one.x) * (y - one.y) - (next.y - one.y) * (x - one.x));
  });
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

/** A rectangle of the picture that is read: turned around its centre, and scaled. */
export interface View {
  centre: Point;
  width: number;
  height: number;
  /** The direction of its upper edge, in degrees clockwise. */
  turn: number;
  /** Pixels that are read for each pixel of the picture. */
  scale: number;
}

/** Return the size of what is read. */
export const sizeOf = ({ width, height, scale }: View) => ({
  width: Math.ceil(width * scale),
  height: Math.ceil(height * scale),
});

/** Return where a point of a view lies in the picture. */
export function inPicture(point: Point, view: View): Point {
  const size = sizeOf(view);
  const [x, y] = [(point.x - size.width / 2) / view.scale, (point.y - size.height / 2) / view.scale];
  const [sine, cosine] = [Math.sin(radians(view.turn)), Math.cos(radians(view.turn))];
  return { x: view.centre.x + x * cosine - y * sine, y: view.centre.y + x * sine + y * cosine };
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;
