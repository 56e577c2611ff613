import type { Point } from '../centredResult';

/** The corners of a symbol, in turn. */
export type Quad = readonly [Point, Point, Point, Point];

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

/** A rectangle of the picture that is read: scaled, and turned around its centre. */
export interface View {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Pixels that are read for each pixel of the picture. */
  scale: number;
  /** Degrees, clockwise. */
  turn: number;
}

/** Return the size of what is read: the turned rectangle, with its corners. */
export function sizeOf({ width, height, scale, turn }: View): { width: number; height: number } {
  const [sine, cosine] = [Math.abs(Math.sin(radians(turn))), Math.abs(Math.cos(radians(turn)))];
  return {
    width: Math.ceil((width * cosine + height * sine) * scale),
    height: Math.ceil((width * sine + height * cosine) * scale),
  };
}

/** Return where a point of a view lies in the picture. */
export function inPicture(point: Point, view: View): Point {
  const size = sizeOf(view);
  const [x, y] = [(point.x - size.width / 2) / view.scale, (point.y - size.height / 2) / view.scale];
  const [sine, cosine] = [Math.sin(radians(view.turn)), Math.cos(radians(view.turn))];
  return {
    x: view.x + view.width / 2 + x * cosine + y * sine,
    y: view.y + view.height / 2 - x * sine + y * cosine,
  };
}

export const radians = (degrees: number) => (degrees * Math.PI) / 180;
