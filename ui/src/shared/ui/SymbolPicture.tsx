import { useEffect, useState } from 'react';
import type { PrintedSymbol } from './symbol';

type Format = 'QRCode' | 'Code128';
export type Encode = (text: string, format: Format) => Promise<PrintedSymbol>;

/** Load the encoder when it is needed. */
export const loadAndEncode: Encode = async (text, format) => {
  const [{ encodeSymbol }, { default: program }] = await Promise.all([
    import('./symbol'),
    import('zxing-wasm/writer/zxing_writer.wasm?url'),
  ]);
  // From our server: by default it loads from a public one.
  return encodeSymbol(text, format, { locateFile: () => program });
};

/** Encode a text; null until then, and if the encoder could not be loaded. */
export function useSymbol(text: string, format: Format, encode = loadAndEncode) {
  const [symbol, setSymbol] = useState<PrintedSymbol | null>(null);
  useEffect(() => {
    let isCurrent = true;
    encode(text, format).then(
      (encoded) => isCurrent && setSymbol(encoded),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [text, format, encode]);
  return symbol;
}

interface Props {
  symbol: PrintedSymbol;
  label: string;
  className?: string;
}

/** A QR code or a bar code, in black on white for readers. */
export function SymbolPicture({ symbol: { path, width, height }, label, className }: Props) {
  return (
    <svg
      role="img"
      aria-label={label}
      // Whole pixels, so that no bar becomes thinner than another.
      width={width * 2}
      height={height * 2}
      viewBox={`0 0 ${width} ${height}`}
      className={className}
      shapeRendering="crispEdges"
    >
      <rect width={width} height={height} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
