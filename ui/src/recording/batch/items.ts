import type { DetailView, KitView } from '@/api/generated';
import type { Message } from '@/api/problem';
import type { Decimal } from '@/i18n/decimal';
import type { DetailValues, OutboxLine } from '@/outbox/outboxSlice';
import type { Pack, PastedRow } from '@/symbols/pack';
import { IMPLANT_INCOMPLETE, needsReason } from '@/topics/sheets/lines/questions';

/** The source of several lines that are recorded together. */
export type DetailsBatch =
  | { kind: 'kit'; kit: KitView }
  /** The supplies of another day or sheet, to record again or to save as a kit. */
  | { kind: 'repeat'; asKit?: boolean }
  /** Marked lines of this sheet, to record again. */
  | { kind: 'again'; details: DetailView[] }
  /** Rows pasted from a spreadsheet. */
  | { kind: 'rows'; rows: PastedRow[] }
  /** Lines entered together that the server refused. */
  | { kind: 'entry'; line: OutboxLine };

export type BatchProduct = {
  id: number;
  name: string;
  code: string | null;
  unit: string | null;
  active: boolean;
  implant?: boolean;
};

/** A line of a batch. */
export interface Item {
  product: BatchProduct;
  quantity: Decimal;
  ticked: boolean;
  /** How many lines the product had, if known. */
  times?: number;
  /** The pack data of a refused entry, or of an implant. */
  pack?: Pack & { gtin: string | null };
  /** How the product of a refused entry was chosen. */
  inputMethod?: DetailValues['input_method'];
  /** The server's message, and the codes of acknowledged questions. */
  wrong?: string;
  asked?: string[];
  /** Whether the server asked for the lot and serial number of an implant. */
  isImplant?: boolean;
  /** The recall that the message is about. */
  recallId?: number;
}

export const NO_IMPLANT_PACK = { gtin: null, lot: null, expiry: null, serial: null };

export const isImplant = ({ product, isImplant: asked }: Item) => product.implant || asked;

/** Return whether an implant lacks its lot or serial number. */
export const isUntraced = (item: Item) =>
  isImplant(item) && !(item.pack?.lot?.trim() && item.pack.serial?.trim());

/** Product facts that a kit's lines do not contain. */
export const UNKNOWN = { gtin: null, decimals: 3, asks_lot: false, asks_serial: false, implant: false };

export function itemsOf(batch: DetailsBatch, again: string): Item[] {
  if (batch.kind === 'kit')
    return batch.kit.lines.map(({ product, quantity, optional }) => ({
      product,
      quantity,
      ticked: product.active && !optional,
    }));
  if (batch.kind === 'again')
    // The server refuses inactive products. Pack data is left out, because each new line has another pack.
    return batch.details.map(({ product: { id, name, code = null, implant }, quantity }) => ({
      product: { id, name, code, unit: null, active: true, implant },
      quantity,
      ticked: true,
    }));
  if (batch.kind !== 'entry') return [];
  const { items, messages } = batch.line;
  return items.flatMap((values, place) => {
    const { product, quantity, acknowledged, gtin, lot, expiry, serial, scanned, input_method } = values;
    if (!product) return [];
    const told = messages.filter((one) => placeOf(one) === place);
    const isAsked = told.length > 0 && told.every(({ acknowledgeable }) => acknowledgeable);
    const wrong = [
      ...told.map(({ text, textAtItem }) => textAtItem ?? text),
      isAsked && !needsReason(told) ? again : '',
    ]
      .join(' ')
      .trim();
    return {
      product,
      quantity,
      ticked: product.active,
      pack: { gtin, lot, expiry, serial },
      inputMethod: scanned ? 'scan' : input_method,
      wrong: wrong || undefined,
      isImplant: told.some(({ code }) => code === IMPLANT_INCOMPLETE),
      recallId: told.find(({ recallId }) => recallId)?.recallId,
      asked: [...acknowledged, ...(isAsked ? told.map(({ code }) => code ?? '') : [])],
    };
  });
}

/** Return the index of the item that a message is about. */
export function placeOf({ field }: Message): number | null {
  const [, place] = /^items\.(\d+)\./.exec(field ?? '') ?? [];
  return place === undefined ? null : Number(place);
}

export function kitOf(batch: DetailsBatch): number | undefined {
  if (batch.kind === 'kit') return batch.kit.id;
  return batch.kind === 'entry' ? (batch.line.kitId ?? undefined) : undefined;
}
