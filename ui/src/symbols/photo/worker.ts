import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import program from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { decode, type PictureError } from './decoded';
import { type Progress, readPicture } from './read';

export type { PictureError } from './decoded';

export type Answer =
  | { progress: Progress; width: number; height: number }
  | { error: PictureError }
  | { end: true };

self.addEventListener('message', async ({ data }: MessageEvent<Blob>) => {
  const answer = (one: Answer) => self.postMessage(one);
  try {
    await prepareZXingModule({ overrides: { locateFile: () => program }, fireImmediately: true });
  } catch {
    return answer({ error: 'noReader' });
  }
  try {
    const picture = await decode(data);
    if (typeof picture === 'string') return answer({ error: picture });
    const { width, height } = picture;
    for await (const progress of readPicture(picture, readBarcodes)) answer({ progress, width, height });
    answer({ end: true });
  } catch {
    // Memory ran out.
    answer({ error: 'tooLarge' });
  }
});
