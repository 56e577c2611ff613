import type { ReaderOptions, ReadResult } from 'zxing-wasm/reader';
import { inPicture, type Quad, sidesOf, sizeOf } from './geometry';
import { joined, type Sighting } from './joined';
import { type Pass, passesOf } from './passes';
import { sharpened } from './sharpened';

/** Pixels as `readBarcodes` takes them. */
export type Read = (pixels: ImageData, how: ReaderOptions) => Promise<ReadResult[]>;

const LINEAR: ReaderOptions['formats'] = ['Code128', 'EAN13', 'EAN8', 'UPCA', 'DataBar', 'Code39'];
const ALL: ReaderOptions['formats'] = ['DataMatrix', 'QRCode', ...LINEAR];
/** Modules of an EAN or UPC symbol. */
const EAN_MODULES = 95;

/** What was read so far. */
export interface Progress {
  symbols: Sighting[];
  /** Passes that are done, of all. */
  done: number;
  of: number;
}

/** Read a picture pass by pass, and yield what was read so far. */
export async function* readPicture(picture: ImageBitmap, read: Read): AsyncGenerator<Progress> {
  const { width, height } = picture;
  const passes = [...passesOf(width, height)];
  const sightings: Sighting[] = [];
  for (const [place, pass] of passes.entries()) {
    const pixels = pixelsOf(picture, pass);
    const found = await read(pass.isSharp ? sharpened(pixels) : pixels, {
      formats: pass.isLinear ? LINEAR : ALL,
      // The text as printed, with separators; by default it has brackets.
      textMode: 'Plain',
      binarizer: pass.threshold,
      tryInvert: false,
      returnErrors: !pass.isLinear,
      maxNumberOfSymbols: 255,
    });
    sightings.push(...found.map((one) => sightingOf(one, pass)));
    yield { symbols: joined(sightings), done: place + 1, of: passes.length };
  }
}

const penOf = (canvas: OffscreenCanvas) =>
  canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;

let canvas: OffscreenCanvas | undefined;

function pixelsOf(picture: CanvasImageSource, pass: Pass): ImageData {
  const { width, height } = sizeOf(pass);
  canvas ??= new OffscreenCanvas(width, height);
  canvas.width = width;
  canvas.height = height;
  const pen = penOf(canvas);
  pen.imageSmoothingQuality = 'high';
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, width, height);
  pen.translate(width / 2, height / 2);
  pen.rotate((pass.turn * Math.PI) / 180);
  pen.scale(pass.scale, pass.scale);
  const { x, y } = pass;
  pen.drawImage(picture, x, y, pass.width, pass.height, -pass.width / 2, -pass.height / 2, pass.width, pass.height);
  return pen.getImageData(0, 0, width, height);
}

function sightingOf({ isValid, symbologyIdentifier, text, position, symbol, format }: ReadResult, pass: Pass): Sighting {
  const { topLeft, topRight, bottomRight, bottomLeft } = position;
  const corners = [topLeft, topRight, bottomRight, bottomLeft].map((corner) =>
    inPicture(corner, pass),
  ) as unknown as Quad;
  const isLinear = LINEAR.includes(format as (typeof LINEAR)[number]);
  const modules = isLinear && /^(EAN|UPC)/.test(format) ? EAN_MODULES : Math.max(symbol.width, symbol.height);
  const [long] = sidesOf(corners);
  return {
    text: isValid ? symbologyIdentifier + text : null,
    corners,
    modulePixels: modules > 0 ? long / modules : null,
    isLinear,
  };
}
