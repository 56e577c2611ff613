import { prepareZXingModule, writeBarcode, type ZXingModuleOverrides } from 'zxing-wasm/writer';

/** A symbol as an SVG path, and its size with the quiet zone. */
export interface PrintedSymbol {
  path: string;
  width: number;
  height: number;
}

/** Modules that stay empty around a symbol, so that readers find it. */
const QUIET = { QRCode: 4, Code128: 10 } as const;

/** Encode a text as a QR code or a bar code on this device. `overrides` say where its program is. */
export async function encodeSymbol(
  text: string,
  format: keyof typeof QUIET,
  overrides: ZXingModuleOverrides,
): Promise<PrintedSymbol> {
  await prepareZXingModule({ overrides, fireImmediately: true });
  const options = format === 'QRCode' ? 'ecLevel=M' : undefined;
  const { symbol, error } = await writeBarcode(text, { format, options });
  if (error) throw new Error(error);
  const { data, width, height } = symbol;
  const quiet = QUIET[format];
  let path = '';
  // All rows of a bar code are the same.
  const rows = format === 'Code128' ? 1 : height;
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < width; x++)
      if (data[y * width + x] === 0) path += `M${x + quiet} ${y + quiet}h1v${rows === 1 ? height : 1}h-1z`;
  return { path, width: width + 2 * quiet, height: height + 2 * quiet };
}
