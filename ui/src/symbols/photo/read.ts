import type { ReaderOptions, ReadResult } from 'zxing-wasm/reader';
import { AS_PRINTED, LINEAR, MATRIX } from '../symbologies';
import { inPicture, type Quad, quadOf, sidesOf, type View } from './geometry';
import { asFile, cut, type Grey, sharpened } from './grey';
import { joined, type Sighting } from './joined';
import { barsAround, findStripes, unreadBars } from './stripes';
import { viewsOf } from './views';

/** `readBarcodes` of the reader. */
export type Read = (picture: Uint8Array, how: ReaderOptions) => Promise<ReadResult[]>;

const HOW: ReaderOptions = { ...AS_PRINTED, tryInvert: false, maxNumberOfSymbols: 255 };
// Also what was seen and not read.
const ANY_ANGLE: ReaderOptions = { ...HOW, formats: MATRIX, returnErrors: true };
const UPRIGHT: ReaderOptions = {
  ...HOW,
  formats: LINEAR,
  tryRotate: false,
  tryDownscale: false,
  // Lines that must agree: a covered code may be read wrong along one.
  minLineCount: 4,
};
/** Modules of an EAN or UPC symbol. */
const EAN_MODULES = 95;
/** Unread symbols are returned if they look like symbols: nearly square, and with more modules than a piece of text. */
const MIN_SQUARE = 0.9;
const MIN_MODULES = 12;

/** What was read so far. */
export interface Progress {
  symbols: Sighting[];
  /** Passes that are done, of all. */
  done: number;
  of: number;
}

/**
 * Read a picture pass by pass, and yield what was read so far.
 *
 * Symbols in two dimensions are read in the picture as it is and with steeper edges; linear codes in each place with
 * stripes, turned upright.
 */
export async function* readPicture(picture: Grey, read: Read): AsyncGenerator<Progress> {
  const views = viewsOf(picture.width, picture.height);
  const stripes = findStripes(picture);
  const of = 2 * views.length + stripes.length;
  let [symbols, done]: [Sighting[], number] = [[], 0];
  const more = (found: readonly Sighting[]): Progress => {
    symbols = joined([...symbols, ...found]);
    return { symbols, done: ++done, of };
  };
  for (const view of views) {
    const part = cut(picture, view);
    for (const one of [part, sharpened(part)]) {
      const found = await read(asFile(one), ANY_ANGLE);
      yield more(found.map((symbol) => sightingOf(symbol, view)).filter(isLikely));
    }
  }
  for (const view of stripes) {
    const part = cut(picture, view);
    const found = await read(asFile(sharpened(part)), UPRIGHT);
    const seen = found.map((one) => sightingOf({ ...one, position: barsAround(part, one.position) }, view));
    const unread = seen.length > 0 ? null : unreadBars(part);
    if (unread) seen.push({ text: null, corners: placeOf(unread, view), modulePixels: null, isLinear: true });
    yield more(seen);
  }
}

function sightingOf(
  { isValid, symbologyIdentifier, text, position, symbol, format }: ReadResult,
  view: View,
): Sighting {
  const corners = placeOf(position, view);
  const modules = /^(EAN|UPC)/.test(format) ? EAN_MODULES : Math.max(symbol.width, symbol.height);
  return {
    text: isValid ? symbologyIdentifier + text : null,
    corners,
    modulePixels: modules > 0 ? sidesOf(corners)[0] / modules : null,
    isLinear: LINEAR.includes(format as (typeof LINEAR)[number]),
  };
}

const placeOf = (position: ReadResult['position'], view: View) =>
  quadOf(position).map((corner) => inPicture(corner, view)) as unknown as Quad;

/** Return whether a symbol was read, or looks like one that could not be read. */
function isLikely({ text, corners, modulePixels }: Sighting) {
  const [long, short] = sidesOf(corners);
  return (
    text !== null ||
    (short >= MIN_SQUARE * long && modulePixels !== null && long / modulePixels >= MIN_MODULES)
  );
}
