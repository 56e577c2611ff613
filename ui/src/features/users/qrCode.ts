import { prepareZXingModule, writeBarcode, type ZXingModuleOverrides } from 'zxing-wasm/writer';

/** A QR code as an SVG path, and the side of its square with the quiet zone. */
export interface QrCode {
  path: string;
  side: number;
}

/** Modules that stay empty around a code, so that readers find it. */
const QUIET = 4;

/** Encode a text as a QR code on this device. `overrides` say where its program is. */
export async function encodeQr(text: string, overrides: ZXingModuleOverrides): Promise<QrCode> {
  await prepareZXingModule({ overrides, fireImmediately: true });
  const { symbol, error } = await writeBarcode(text, { format: 'QRCode', options: 'ecLevel=M' });
  if (error) throw new Error(error);
  const { data, width, height } = symbol;
  let path = '';
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (data[y * width + x] === 0) path += `M${x + QUIET} ${y + QUIET}h1v1h-1z`;
  return { path, side: width + 2 * QUIET };
}
