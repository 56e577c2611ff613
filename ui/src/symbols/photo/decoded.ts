import type { Grey } from './grey';

/** Why a picture is not read. */
export type PictureError = 'notAPicture' | 'tooLarge' | 'noReader';

/** More pixels than these do not fit into the memory of a phone. */
const MAX_PIXELS = 64_000_000;
/** Canvases may be smaller than pictures. */
const STRIP_PIXELS = 4_000_000;
/** The size of a picture is within its first bytes, behind the small picture that cameras put there. */
const HEAD = 256 * 1024;

/** Decode the file of a picture, as its camera was held. */
export async function decode(file: Blob): Promise<Grey | PictureError> {
  // Decoding a large picture may end the browser, so its size is looked up before.
  if ((pixelsIn(new DataView(await file.slice(0, HEAD).arrayBuffer())) ?? 0) > MAX_PIXELS) return 'tooLarge';
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (!picture) return 'notAPicture';
  try {
    return picture.width * picture.height > MAX_PIXELS ? 'tooLarge' : greyOf(picture);
  } finally {
    picture.close();
  }
}

/** Return the number of pixels in the head of a PNG or JPEG file, or null. */
export function pixelsIn(head: DataView): number | null {
  if (head.byteLength >= 24 && head.getUint32(0) === 0x89504e47)
    return head.getUint32(16) * head.getUint32(20);
  if (head.byteLength < 4 || head.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < head.byteLength; at += 2 + head.getUint16(at + 2)) {
    const marker = head.getUint16(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return head.getUint16(at + 5) * head.getUint16(at + 7);
    if (marker < 0xff00) return null;
  }
  return null;
}

function greyOf(picture: ImageBitmap): Grey {
  const { width, height } = picture;
  const data = new Uint8Array(width * height);
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  const canvas = new OffscreenCanvas(width, Math.min(rows, height));
  const pen = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
  let to = 0;
  for (let top = 0; top < height; top += rows) {
    // What is transparent is white, as paper.
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, width, canvas.height);
    pen.drawImage(picture, 0, -top);
    const { data: colours } = pen.getImageData(0, 0, width, Math.min(rows, height - top));
    for (let from = 0; from < colours.length; from += 4)
      data[to++] =
        ((colours[from] as number) * 77 +
          (colours[from + 1] as number) * 151 +
          (colours[from + 2] as number) * 28) >>
        8;
  }
  return { data, width, height };
}
