/** How much of the difference to the neighbours is added. */
const AMOUNT = 1.5;

/** Return grey pixels with steeper edges: a lens and a moving hand blur narrow bars. */
export function sharpened({ data, width, height }: ImageData): ImageData {
  const grey = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < grey.length; at++, from += 4)
    // biome-ignore lint/style/noNonNullAssertion: within the picture.
    grey[at] = (data[from]! * 77 + data[from + 1]! * 151 + data[from + 2]! * 28) >> 8;
  const out = new Uint8ClampedArray(data.length);
  const sums = columnSums(grey, width, 1);
  for (let y = 0; y < height; y++) {
    const [above, here, below] = [Math.max(0, y - 1) * width, y * width, Math.min(height - 1, y + 1) * width];
    for (let x = 0; x < width; x++) {
      // biome-ignore lint/style/noNonNullAssertion: within the picture.
      const mean = (sums[above + x]! + sums[here + x]! + sums[below + x]!) / 9;
      // biome-ignore lint/style/noNonNullAssertion: within the picture.
      const value = grey[here + x]! * (1 + AMOUNT) - mean * AMOUNT;
      const to = (here + x) * 4;
      out[to] = out[to + 1] = out[to + 2] = value;
      out[to + 3] = 255;
    }
  }
  return new ImageData(out, width, height);
}

/** Return the sum of each pixel and its neighbours in the row. */
function columnSums(grey: Uint8Array, width: number, reach: number): Uint16Array {
  const sums = new Uint16Array(grey.length);
  for (let at = 0; at < grey.length; at++) {
    const x = at % width;
    const [left, right] = [x < reach ? at : at - 1, x >= width - reach ? at : at + 1];
    // biome-ignore lint/style/noNonNullAssertion: within the picture.
    sums[at] = grey[left]! + grey[at]! + grey[right]!;
  }
  return sums;
}
