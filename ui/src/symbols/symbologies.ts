import type { ReaderOptions } from 'zxing-wasm/reader';

type Formats = NonNullable<ReaderOptions['formats']>;

/** Symbols in two dimensions, which are read at any angle. */
export const MATRIX: Formats = ['DataMatrix', 'QRCode'];

/** Linear codes, without those that are too easily mistaken for each other. */
export const LINEAR: Formats = ['Code128', 'EAN13', 'EAN8', 'UPCA', 'DataBar', 'Code39'];

/** The text as printed, with separators; by default it has brackets. */
export const AS_PRINTED = { textMode: 'Plain' } as const satisfies ReaderOptions;
