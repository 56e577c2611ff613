import { inPicture, sizeOf, type View } from './geometry';

/** A picture without colours: a byte for each pixel, row by row. */
export interface Grey {
  data: Uint8Array;
  width: number;
  height: number;
}

/** Return a part of a picture, scaled and turned. Beyond the picture it is white. */
export function cut(picture: Grey, view: View): Grey {
  const { width, height } = sizeOf(view);
  if (view.scale === 1 && view.turn === 0) return part(picture, view);
  const out = new Uint8Array(width * height);
  const start = inPicture({ x: 0.5, y: 0.5 }, view);
  const right = inPicture({ x: 1.5, y: 0.5 }, view);
  const down = inPicture({ x: 0.5, y: 1.5 }, view);
  const [acrossX, acrossY] = [right.x - start.x, right.y - start.y];
  let to = 0;
  for (let row = 0; row < height; row++) {
    let x = start.x + (down.x - start.x) * row - 0.5;
    let y = start.y + (down.y - start.y) * row - 0.5;
    for (let column = 0; column < width; column++, x += acrossX, y += acrossY)
      out[to++] = valueAt(picture, x, y);
  }
  return { data: out, width, height };
}

function part(picture: Grey, { centre, width, height }: View): Grey {
  if (width === picture.width && height === picture.height) return picture;
  const data = new Uint8Array(width * height);
  const from = (centre.y - height / 2) * picture.width + centre.x - width / 2;
  for (let row = 0; row < height; row++)
    data.set(
      picture.data.subarray(from + row * picture.width, from + row * picture.width + width),
      row * width,
    );
  return { data, width, height };
}

/** Return the value between four by four pixels, along a cubic curve: it keeps edges steeper than their mean. */
function valueAt({ data, width, height }: Grey, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 1 || top < 1 || left > width - 3 || top > height - 3) return 255;
  const [alongX, alongY] = [x - left, y - top];
  const from = (top - 1) * width + left - 1;
  const value = cubic(
    rowAt(data, from, alongX),
    rowAt(data, from + width, alongX),
    rowAt(data, from + 2 * width, alongX),
    rowAt(data, from + 3 * width, alongX),
    alongY,
  );
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

const rowAt = (data: Uint8Array, from: number, along: number) =>
  cubic(
    data[from] as number,
    data[from + 1] as number,
    data[from + 2] as number,
    data[from + 3] as number,
    along,
  );

/** Return the Catmull-Rom curve through four values, between the two in the middle. */
const cubic = (a: number, b: number, c: number, d: number, at: number) =>
  b + 0.5 * at * (c - a + at * (2 * a - 5 * b + 4 * c - d + at * (3 * (b - c) + d - a)));

/** How much of the difference to the neighbours is added. */
const AMOUNT = 1.5;
/** How many neighbours count in each direction. */
const REACH = 2;
const NEIGHBOURS = (2 * REACH + 1) ** 2;

/** Return a picture with steeper edges: a lens and a moving hand blur narrow bars. The margin stays. */
export function sharpened({ data, width, height }: Grey): Grey {
  const out = new Uint8ClampedArray(data);
  // Of each column, the sum of the rows that count.
  const sums = new Int32Array(width);
  for (let row = 0; row < height; row++) {
    const [enters, leaves] = [row * width, (row - 2 * REACH - 1) * width];
    for (let x = 0; x < width; x++)
      sums[x] =
        (sums[x] as number) + (data[enters + x] as number) - (leaves < 0 ? 0 : (data[leaves + x] as number));
    if (row < 2 * REACH) continue;
    let sum = 0;
    for (let x = 0; x < 2 * REACH; x++) sum += sums[x] as number;
    for (let x = REACH, at = (row - REACH) * width + REACH; x < width - REACH; x++, at++) {
      sum += sums[x + REACH] as number;
      const value = data[at] as number;
      out[at] = value + AMOUNT * (value - sum / NEIGHBOURS);
      sum -= sums[x - REACH] as number;
    }
  }
  return { data: new Uint8Array(out.buffer), width, height };
}

/** Return a picture in the format PGM, which the reader takes without colours. */
export function asFile({ data, width, height }: Grey): Uint8Array {
  const head = new TextEncoder().encode(`P5 ${width} ${height} 255\n`);
  const file = new Uint8Array(head.length + data.length);
  file.set(head);
  file.set(data, head.length);
  return file;
}
