import { centredResult, type Point, type ReadSymbol } from './centredResult';

/** Formats as `BarcodeDetector` names them, without those that are too easily mistaken for each other. */
const FORMATS = ['data_matrix', 'code_128', 'ean_13', 'ean_8', 'upc_a', 'qr_code', 'code_39'];

interface Detector {
  detect(picture: HTMLCanvasElement): Promise<{ rawValue: string; cornerPoints: Point[] }[]>;
}
interface DetectorType {
  new (how: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/**
 * Return the browser's barcode reader, or else load ours.
 *
 * The browser's must support Data Matrix, the symbol on packs.
 */
export async function createReader(): Promise<ReadSymbol> {
  const { BarcodeDetector } = window as { BarcodeDetector?: DetectorType };
  const formats = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? [];
  if (!BarcodeDetector || !formats.includes('data_matrix')) return (await import('./zxing')).loadReader();
  const detector = new BarcodeDetector({ formats: FORMATS.filter((format) => formats.includes(format)) });
  return async (picture) => {
    const found = await detector.detect(picture);
    return centredResult(picture, found, ({ cornerPoints }) => cornerPoints)?.rawValue ?? null;
  };
}

/** Time out of sight after which a symbol counts again, in milliseconds. */
const OUT_OF_SIGHT = 2000;
/** Number of frames without it that this takes: a slow phone reads few, and some of them are blurred. */
const MIN_FRAMES_WITHOUT = 5;

/**
 * Deduplication of symbols while they are held before the camera.
 *
 * A symbol counts again after it was out of sight.
 */
export class ScanDeduplicator {
  #held = new Map<string, { at: number; framesWithout: number }>();

  /** Return whether a frame shows a symbol that counts; `raw` is null if it shows none. */
  isNew(raw: string | null, at: number): boolean {
    for (const [symbol, last] of this.#held) {
      if (symbol === raw) continue;
      last.framesWithout += 1;
      if (last.framesWithout >= MIN_FRAMES_WITHOUT && at - last.at > OUT_OF_SIGHT) this.#held.delete(symbol);
    }
    if (raw === null) return false;
    const isNew = !this.#held.has(raw);
    this.#held.set(raw, { at, framesWithout: 0 });
    return isNew;
  }
}

/**
 * Why the camera does not work.
 *
 * No permission, no camera, in use by another program, other error, no reader.
 */
export type CameraError = 'refused' | 'none' | 'busy' | 'failed' | 'noReader';

export function cameraErrorOf(error: unknown): CameraError {
  switch ((error as { name?: unknown } | null)?.name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'refused';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'none';
    case 'NotReadableError':
    case 'AbortError':
      return 'busy';
    default:
      return 'failed';
  }
}
