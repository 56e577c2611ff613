import { vi } from 'vitest';
import type { Sighting } from '@/symbols/photo/joined';
import type { Answer, PictureError } from '@/symbols/photo/worker';

/** Return a symbol that was seen in a picture, with its left side there. */
export function seen(text: string | null, x = 0, y = 0, side = 100): Sighting {
  const [right, bottom] = [x + side, y + side];
  return {
    text,
    corners: [
      { x, y },
      { x: right, y },
      { x: right, y: bottom },
      { x, y: bottom },
    ],
    modulePixels: 4,
    isLinear: false,
  };
}

/** What is in a picture: symbols, or why it cannot be read. */
type Content = Sighting[] | PictureError;

/** Read pictures by their names, in place of the worker, which needs a browser. */
export function stubPhotos(contents: Record<string, Content>) {
  const photos = {
    /** Whether the last pass of a picture does not end. */
    isHeld: false,
    stopped: 0,
    shown: new Set<string>(),
  };
  vi.stubGlobal(
    'Worker',
    class {
      onmessage: (event: { data: Answer }) => void = () => {};
      terminate() {
        photos.stopped += 1;
      }
      postMessage({ name }: File) {
        const content = contents[name] ?? 'notAPicture';
        const say = (data: Answer) => this.onmessage({ data });
        queueMicrotask(() => {
          if (!Array.isArray(content)) return say({ error: content });
          say({ progress: { symbols: content, done: 1, of: 2 }, width: 4000, height: 3000 });
          if (!photos.isHeld) say({ end: true });
        });
      }
    },
  );
  let made = 0;
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    made += 1;
    photos.shown.add(`blob:photo-${made}`);
    return `blob:photo-${made}`;
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void photos.shown.delete(url));
  return photos;
}
