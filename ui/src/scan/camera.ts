/** What reads one symbol off a picture: the text that a scanner would send of it, or null. */
export type ReadSymbol = (picture: HTMLCanvasElement) => Promise<string | null>;

/** As the browser's own detector calls them. Those that are read into one another too easily are not among them. */
const FORMATS = ['data_matrix', 'code_128', 'ean_13', 'ean_8', 'upc_a', 'qr_code', 'code_39'];

interface Detector {
  detect(picture: HTMLCanvasElement): Promise<{ rawValue: string; cornerPoints: Point[] }[]>;
}
interface DetectorType {
  new (how: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

interface Point {
  x: number;
  y: number;
}

/** The browser's own reader, where it knows the symbol that is on packs; ours otherwise, which is fetched only then. */
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

/** Of several symbols the one that is aimed at. */
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

/** In milliseconds. */
const OUT_OF_SIGHT = 2000;

/** A symbol is one scan for as long as it is held before the camera, and another one once it was out of sight. */
export class ScanDeduplicator {
  #last = new Map<string, number>();

  isNew(raw: string, at: number): boolean {
    const before = this.#last.get(raw);
    this.#last.set(raw, at);
    return before === undefined || at - before > OUT_OF_SIGHT;
  }
}

/** Why nothing can be read: not allowed, no camera there, taken by another program, any other fault, no reader. */
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
