import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import program from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { type Progress, readPicture } from './read';

/** Why a picture is not read. */
export type PictureError = 'notAPicture' | 'tooLarge' | 'noReader';

export type Answer = { progress: Progress; width: number; height: number } | { error: PictureError } | { end: true };

const MAX_PIXELS = 64_000_000;

self.addEventListener('message', async ({ data }: MessageEvent<Blob>) => {
  const answer = (one: Answer) => self.postMessage(one);
  try {
    await prepareZXingModule({ overrides: { locateFile: () => program }, fireImmediately: true });
  } catch {
    return answer({ error: 'noReader' });
  }
  const picture = await createImageBitmap(data).catch(() => null);
  if (!picture) return answer({ error: 'notAPicture' });
  const { width, height } = picture;
  if (width * height > MAX_PIXELS) return answer({ error: 'tooLarge' });
  for await (const progress of readPicture(picture, readBarcodes)) answer({ progress, width, height });
  picture.close();
  answer({ end: true });
});
