/** The maximum width and height of an uploaded picture. */
const MAX_SIDE = 512;
const QUALITY = 0.85;

/** Return the size within `MAX_SIDE` that keeps the proportions. */
export function scaledSize(width: number, height: number) {
  const factor = Math.min(1, MAX_SIDE / Math.max(width, height));
  const side = (length: number) => Math.max(1, Math.round(length * factor));
  return { width: side(width), height: side(height) };
}

/**
 * Scale a picture down and return it as WebP, or as JPEG where the browser writes no WebP.
 *
 * Its metadata, such as where a photo was taken, is left out. Null if the browser cannot read the file.
 */
export async function scalePicture(file: Blob): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, scaledSize(bitmap.width, bitmap.height));
  const context = canvas.getContext('2d');
  if (!context) return null;
  // JPEG has no transparency.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const write = (type: string) =>
    new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
  const webp = await write('image/webp');
  return webp?.type === 'image/webp' ? webp : write('image/jpeg');
}
