/** Read one symbol in an image, as a scanner would send it, or null. */
export type ReadSymbol = (picture: HTMLCanvasElement) => Promise<string | null>;

export interface Point {
  x: number;
  y: number;
}

/** Return the symbol nearest to the centre, at which the user aims. */
export function centredResult<Found>(
  { width, height }: { width: number; height: number },
  found: Found[],
  cornersOf: (one: Found) => Point[],
): Found | undefined {
  const away = (one: Found) => {
    const corners = cornersOf(one);
    const mean = (of: (point: Point) => number) =>
      corners.reduce((sum, corner) => sum + of(corner), 0) / corners.length;
    return Math.hypot(mean(({ x }) => x) - width / 2, mean(({ y }) => y) - height / 2);
  };
  return [...found].sort((one, other) => away(one) - away(other))[0];
}
