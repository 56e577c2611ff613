import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import program from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { centredResult, type ReadSymbol } from './centredResult';
import { AS_PRINTED, LINEAR, MATRIX } from './symbologies';

const HOW: ReaderOptions = { ...AS_PRINTED, formats: [...MATRIX, ...LINEAR], maxNumberOfSymbols: 4 };

/** Load the reader for browsers without one. */
export async function loadReader(): Promise<ReadSymbol> {
  // From our server: by default it loads from a public one.
  await prepareZXingModule({ overrides: { locateFile: () => program }, fireImmediately: true });
  return async (picture) => {
    const { width, height } = picture;
    const pixels = picture.getContext('2d', { willReadFrequently: true })?.getImageData(0, 0, width, height);
    const found = pixels ? await readBarcodes(pixels, HOW) : [];
    const one = centredResult(picture, found, ({ position }) => [
      position.topLeft,
      position.topRight,
      position.bottomRight,
      position.bottomLeft,
    ]);
    return one ? one.symbologyIdentifier + one.text : null;
  };
}
