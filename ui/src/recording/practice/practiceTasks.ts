import type { KitView, ProductView } from '@/api/generated';
import { productWords } from '@/i18n/fold';
import type { MessageId } from '@/i18n/language';
import type { DetailValues } from '@/outbox/outboxSlice';

/** What a person did on the practice sheet. */
export type Act =
  | { type: 'recorded'; items: DetailValues[]; kitId?: number }
  | { type: 'corrected'; productId: number; quantity: number }
  | { type: 'removed' }
  | { type: 'undone' }
  | { type: 'noted' };

/** One of the ten things to do, in one sentence. */
export interface Task {
  text: MessageId;
  values?: Record<string, string>;
  isDone: (act: Act) => boolean;
}

/** How many products are printed, as a heap to photograph, and how many of them the tasks name. */
const PRINTED = 12;
export const USUAL = 5;
const QUANTITY = 3;
const CORRECTED = 2;

/** Return what a label of the product says: its own code, or its GTIN. */
export const labelOf = ({ code, gtin }: Pick<ProductView, 'code' | 'gtin'>) => code ?? gtin ?? '';

/**
 * Choose the products to practise with.
 *
 * Their names begin with different words as far as possible; they have a code, and ask for nothing else.
 */
export function chooseProducts(products: ProductView[]): ProductView[] {
  const plain = products.filter(
    (one) => one.active && !one.asks_lot && !one.asks_serial && !one.implant && isCode128(labelOf(one)),
  );
  const seen = new Set<string>();
  const isAnotherKind = ({ name }: ProductView) => {
    const word = productWords(name)[0] ?? '';
    const isNew = !seen.has(word);
    seen.add(word);
    return isNew;
  };
  const kinds = plain.filter(isAnotherKind);
  const others = plain.filter((one) => !kinds.includes(one));
  return [...kinds, ...others].slice(0, PRINTED);
}

/** Return whether a bar code can have the text. */
const isCode128 = (text: string) => /^[\x20-\x7e]{1,40}$/.test(text);

/** Return the ten tasks for these products, of which there may be few, and for a kit, if there is one. */
export function tasksFor(products: ProductView[], kit: KitView | undefined): Task[] {
  const product = (place: number) => products[place % products.length] as ProductView;
  const [first, second, typed, scanned, usual] = [0, 1, 2, 3, 0].map(product) as [
    ProductView,
    ProductView,
    ProductView,
    ProductView,
    ProductView,
  ];
  const records =
    (one: ProductView, fits: (values: DetailValues) => boolean = () => true) =>
    (act: Act) =>
      act.type === 'recorded' && act.items.some((values) => values.product_id === one.id && fits(values));
  return [
    { text: 'practice.byName', values: { product: first.name }, isDone: records(first) },
    {
      text: 'practice.withQuantity',
      values: { product: second.name, example: `${QUANTITY} ${wordOf(second)}` },
      isDone: records(second, ({ quantity }) => quantity === QUANTITY),
    },
    {
      text: 'practice.byCode',
      values: { product: typed.name, code: labelOf(typed) },
      isDone: records(typed),
    },
    {
      text: 'practice.usual',
      values: { product: usual.name },
      isDone: records(usual),
    },
    {
      text: 'practice.scan',
      values: { product: scanned.name },
      isDone: records(scanned, ({ scanned: scan }) => scan !== null),
    },
    {
      text: 'practice.scanTwice',
      values: { product: typed.name },
      isDone: records(typed, ({ scanned: scan, quantity }) => scan !== null && quantity === 2),
    },
    kit
      ? {
          text: 'practice.kit',
          values: { kit: kit.name },
          isDone: (act) => act.type === 'recorded' && act.kitId === kit.id,
        }
      : { text: 'practice.note', isDone: ({ type }) => type === 'noted' },
    {
      text: 'practice.correct',
      values: { product: second.name, quantity: String(CORRECTED) },
      isDone: (act) => act.type === 'corrected' && act.productId === second.id && act.quantity === CORRECTED,
    },
    { text: 'practice.undo', values: { product: first.name }, isDone: ({ type }) => type === 'undone' },
    { text: 'practice.remove', isDone: ({ type }) => type === 'removed' },
  ];
}

/** Return the word by which a person would search the product. */
const wordOf = ({ name }: ProductView) => name.split(' ')[0]?.toLowerCase() ?? name;
