import type { FormProductView, ReadingView } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { hasPackData, isSamePack, NO_PACK, type Pack } from '@/symbols/pack';

/** A line of a contingency form that is being recorded. */
export interface Line {
  key: number;
  product: Pick<FormProductView, 'id' | 'name' | 'code' | 'unit'>;
  quantity: Decimal;
  pack: Pack;
  gtin: string | null;
  /** Whether lot and serial number cannot be told apart for certain. */
  unconfirmed?: boolean;
  /** Whether the server asked for the lot and serial number of an implant. */
  isImplant?: boolean;
  error?: string;
}

export const isFilled = ({ quantity }: Line) => quantity !== null;

/** Return whether a line has a lot or serial number, which would be lost without a quantity. */
export const isOfPack = ({ pack }: Line) => Boolean(pack.lot || pack.serial);

export const emptyLine = (key: number, product: Line['product']): Line => ({
  key,
  product,
  quantity: null,
  pack: NO_PACK,
  gtin: null,
});

export const packOf = ({ lot, expiry, serial }: ReadingView): Pack => ({ lot, expiry, serial });

export const nextKey = (lines: Line[]) => Math.max(-1, ...lines.map(({ key }) => key)) + 1;

/** Return the line that the pack belongs to: that of the same pack, or one of the product without a pack. */
export function lineFor(lines: Line[], productId: number, pack: Pack): Line | undefined {
  const ofProduct = lines.filter(({ product }) => product.id === productId);
  if (!hasPackData(pack)) return ofProduct[0];
  return (
    ofProduct.find((line) => isSamePack(line.pack, pack)) ??
    ofProduct.find(
      (line) => !hasPackData(line.pack) && (!pack.serial || line.quantity === null || line.quantity === 1),
    )
  );
}

/** Return the lines with this one, which is new or replaces itself; a new one is below those of its product. */
export function withLine(lines: Line[], line: Line): Line[] {
  if (lines.some(({ key }) => key === line.key))
    return lines.map((one) => (one.key === line.key ? { ...line, error: undefined } : one));
  const after = lines.findLastIndex(({ product }) => product.id === line.product.id);
  return after < 0 ? [...lines, line] : lines.toSpliced(after + 1, 0, line);
}
