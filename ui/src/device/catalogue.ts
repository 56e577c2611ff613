import type {
  AreaView,
  KitView,
  PageAreaView,
  PageKitView,
  ProductLookupView,
  ProductPage,
  ProductView,
  VersionedCatalogueView,
} from '@/api/generated';
import {
  codeKey,
  foldCode,
  foldName,
  foldProduct,
  MIN_CODE_PART,
  MIN_CODE_PREFIX,
  productWords,
} from '@/i18n/fold';
import { type ParsedBarcode, parseBarcode } from '@/symbols/gs1';
import { gtinKey, isGtin } from '@/symbols/gtin';
import { hibcSpellings } from '@/symbols/hibc';
import { forOtherKeyboards, isOfOtherKeyboard } from '@/symbols/keyboardLayout';
import { parseLabel } from '@/symbols/label';
import { askStore } from './database';
import type { StoredCatalogue } from './storedShapes';

const KEY = 'catalogue';
/** Age up to which the stored catalogue is not refreshed, in milliseconds. */
const FRESH_FOR = 6 * 3_600_000;

/**
 * Refresh the stored catalogue if it is old.
 *
 * `read` fetches all of it. It returns null if the known version is still current, and undefined without a response.
 */
export async function refreshCatalogue(
  read: (known: number | undefined) => Promise<VersionedCatalogueView | null | undefined>,
) {
  const known = await askStore('catalogue', (database) => database.get('catalogue', KEY));
  if (known && Date.now() - Date.parse(known.fetched_at) < FRESH_FOR) return;
  const news = await read(known?.version);
  const latest = news ?? (news === null ? known : undefined);
  if (!latest) return;
  await askStore('catalogue', async (database) => {
    await database.put('catalogue', { ...latest, fetched_at: new Date().toISOString() }, KEY);
    if (news) index = null;
  });
  await readIndex();
}

/** Shorter digits may well be another number, even with a correct check digit. */
const MIN_CERTAIN_GTIN_LENGTH = 12;

type Product = VersionedCatalogueView['products'][number];
type Code = VersionedCatalogueView['codes'][number];

interface Index {
  catalogue: StoredCatalogue;
  /** Sorted by folded name, as lists show them. */
  products: { product: Product; name: string; called: string; code: string; key: string; keys: string[] }[];
  byId: Map<number, Product>;
  /** Codes by key, of all code systems. */
  byKey: Map<string, Code[]>;
  byOwnCode: Map<string, Product>;
  codesOf: Map<number, Code[]>;
  /** Digests of pictures by product. */
  pictures: Map<number, string>;
}

let index: Promise<Index | null> | null = null;
/** The latest index, for lookups without waiting. */
let ready: Index | null = null;

/**
 * Build the index for `isProductCode` and `searchAtOnce`.
 *
 * Neither of them waits for it.
 */
export const loadIndex = () => readIndex();

/** Return whether a product has this code; undefined without catalogue. */
export function isProductCode(text: string): boolean | undefined {
  if (!ready) return undefined;
  const key = codeKey(text);
  if (key === '') return false;
  return (
    ready.byOwnCode.has(key) || ready.byKey.has(isGtin(key) ? gtinKey(key) : key) || ready.byKey.has(key)
  );
}

/** Return the index, built on first use; null without catalogue. */
function readIndex() {
  index ??= makeIndex().catch(() => null);
  return index.then((made) => {
    if (!made) index = null;
    ready = made;
    return made;
  });
}

/** Discard the index, for tests with their own catalogue. */
export const resetIndex = () => {
  index = null;
  ready = null;
};

async function makeIndex(): Promise<Index | null> {
  const catalogue = await askStore('catalogue', (database) => database.get('catalogue', KEY));
  if (!catalogue) return null;
  const byKey = grouped(catalogue.codes, ([, , key]) => key);
  const codesOf = grouped(catalogue.codes, ([id]) => id);
  const products = catalogue.products.map((product) => {
    const [id, name, code] = product;
    const keys = (codesOf.get(id) ?? []).map(([, , key]) => key);
    return {
      product,
      name: foldProduct(name),
      called: alsoCalled(product).map(foldProduct).join('\n'),
      code: foldCode(code ?? ''),
      key: codeKey(code ?? ''),
      keys,
    };
  });
  products.sort((one, other) => compare(one.name, other.name) || one.product[0] - other.product[0]);
  return {
    catalogue,
    products,
    byId: new Map(catalogue.products.map((product) => [product[0], product])),
    byKey,
    byOwnCode: new Map(products.filter(({ key }) => key).map(({ key, product }) => [key, product])),
    codesOf,
    // A catalogue stored by an earlier version has no pictures.
    pictures: new Map(catalogue.pictures ?? []),
  };
}

function grouped<Item, Key>(items: Item[], keyOf: (item: Item) => Key) {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** A catalogue stored by an earlier version has no other names. */
const alsoCalled = (product: Product): string[] => product[8] ?? [];

/** A catalogue stored by an earlier version does not say it; the server asks then. */
const isImplant = (product: Product): boolean => product[9] ?? false;

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/**
 * Return the product like the server, except for price and category.
 *
 * They are not stored on the device.
 */
function viewOf({ codesOf, pictures }: Index, product: Product): ProductView {
  const [id, name, code, unit, decimals, asks_lot, asks_serial, active] = product;
  const implant = isImplant(product);
  const gtin = codesOf.get(id)?.find(([, system, , units]) => system === 'gtin' && units === 1)?.[2] ?? null;
  const category = { id: 0, name: '' };
  const also_called = alsoCalled(product);
  const picture = pictures.get(id) ?? null;
  return {
    ...{ id, name, code, gtin, unit, decimals, asks_lot, asks_serial, active, implant, also_called, picture },
    category,
    category_id: 0,
    plain_name: null,
  };
}

const pageOf = <Item>(items: Item[], page: number, limit: number) => ({
  items: items.slice((page - 1) * limit, page * limit),
  meta: { page, limit, total: items.length, pages: Math.ceil(items.length / limit) },
});

interface Asked {
  page: number;
  limit: number;
  q?: string;
}

/**
 * Return the products that match a text, by the server's rules.
 *
 * A product matches if each word is in its name or another name, or if the text is exactly one of its codes. The
 * ranking: an exact code, a code that differs only in punctuation, names that begin with the text, other names, codes
 * that begin with the text, codes that contain it.
 */
function findProducts({ products }: Index, q: string, active?: boolean): Product[] {
  const words = productWords(q);
  const beginning = words.join(' ');
  const exactly = codeKey(q.trim());
  const gtin = gtinKey(exactly);
  const coded = foldCode(q);
  const ranks: Product[][] = [[], [], [], [], [], []];
  for (const { product, name, called, code, key, keys } of products) {
    if (active !== undefined && product[7] !== active) continue;
    if (words.length === 0) ranks[0]?.push(product);
    else if (key === exactly || keys.includes(exactly) || keys.includes(gtin)) ranks[0]?.push(product);
    else if (coded && code === coded) ranks[1]?.push(product);
    else if (words.every((word) => name.includes(word) || called.includes(word)))
      ranks[name.startsWith(beginning) ? 2 : 3]?.push(product);
    else if (coded.length >= MIN_CODE_PREFIX && code.startsWith(coded)) ranks[4]?.push(product);
    else if (coded.length >= MIN_CODE_PART && code.includes(coded)) ranks[5]?.push(product);
  }
  return ranks.flat();
}

export async function searchProducts({
  q = '',
  page,
  limit,
  active,
}: Asked & { active?: boolean }): Promise<ProductPage | null> {
  const made = await readIndex();
  if (!made) return null;
  const found = pageOf(findProducts(made, q, active), page, limit);
  return { ...found, items: found.items.map((product) => viewOf(made, product)) };
}

/**
 * Search active products without waiting.
 *
 * Empty before the catalogue is loaded.
 */
export function searchAtOnce(q: string, limit: number): ProductView[] {
  const made = ready;
  if (!made) return [];
  return findProducts(made, q, true)
    .slice(0, limit)
    .map((product) => viewOf(made, product));
}

interface Lookup {
  scan?: string;
  gtin?: string;
  code?: string;
  hibc?: string;
  text?: string;
}

type Found = Pick<ProductLookupView, 'reading' | 'matches' | 'read_as'>;

/**
 * Look up a scan or a code.
 *
 * Facts about the pack, such as a recall, are unknown here; the server reports them on recording.
 */
export async function lookUpProduct(asked: Lookup): Promise<ProductLookupView | null> {
  const made = await readIndex();
  if (!made) return null;
  const found = asked.scan ? understandScan(made, asked.scan) : findTyped(made, asked);
  const known = { recall: null, expired: false, serial_used: null, noted: null, people: [] };
  return { ...found, ...known, ...(asked.scan ? labelOf(made, asked.scan, found) : { label: null }) };
}

/**
 * Interpret a scan as one of Consumo's labels.
 *
 * A label of a patient or a sheet is missing here until the stored sheets are searched.
 */
function labelOf(
  made: Index,
  raw: string,
  { matches }: Found,
): Pick<ProductLookupView, 'label'> & Partial<Found> {
  const label = matches.length === 0 ? parseLabel(parseBarcode(raw).text) : null;
  if (!label) return { label: null };
  const { kind, number, installation } = label;
  const missing = { kind, state: 'missing', kit_id: null };
  if (installation !== made.catalogue.installation) return { label: { ...missing, state: 'foreign' } };
  const product = kind === 'product' ? made.byId.get(number) : undefined;
  if (product) {
    const match = { product: viewOf(made, product), system: 'code', units: 1, label: null };
    return { matches: [match], label: { ...missing, state: 'found' } };
  }
  if (kind !== 'kit') return { label: missing };
  // Only the hospital's kits are stored: a user's own one is unknown here.
  const isStored = made.catalogue.kits.some(([id]) => id === number);
  return { label: isStored ? { ...missing, state: 'found', kit_id: number } : null };
}

/** Interpret a scan like application/scanning/scans.py. */
function understandScan(made: Index, raw: string): Found {
  const symbol = parseBarcode(raw);
  const scan = findScanned(made, symbol);
  const isSure = symbol.reading && !symbol.reading.bare;
  if (scan.matches.length > 0 || symbol.reading?.gtin || symbol.ofPerson || isSure) return scan;
  let likely: string | null = null;
  for (const text of forOtherKeyboards(raw)) {
    const other = parseBarcode(text);
    const found = findScanned(made, other);
    if (found.matches.length > 0) return { ...found, read_as: other.text };
    const isLikely = other.reading?.gtin || (other.hibc && other.reading) || isOfOtherKeyboard(symbol.text);
    if (isLikely) likely ??= other.text;
  }
  return likely === null ? scan : { reading: null, matches: [], read_as: likely };
}

/**
 * Match a scan.
 *
 * If only its text as a whole is a product's code, nothing is read from it.
 */
function findScanned(made: Index, { text, symbology, hibc, reading }: ParsedBarcode): Found {
  const key = codeKey(text);
  const gtin = reading?.gtin ?? null;
  const hibcKeys = hibc === null ? [] : hibcSpellings(hibc).map(codeKey);
  const matches = matchesOf(made, { gtin, hibc: hibcKeys, code: key, anyCode: key });
  const systems = matches.map(({ system }) => system);
  let isCode = matches.length > 0;
  if (gtin) isCode &&= !systems.includes('gtin') && !(isGtin(text) && text.length >= MIN_CERTAIN_GTIN_LENGTH);
  else if (hibc !== null && systems.includes('hibc'))
    isCode = matchesOf(made, { gtin: null, hibc: [], code: key, anyCode: key }).length > 0;
  if (isCode) return { reading: null, matches, read_as: null };
  // Plain digits without a product may be another number.
  const isBare = matches.length === 0 && isGtin(text) && symbology === null;
  return { reading: reading && isBare ? { ...reading, bare: true } : reading, matches, read_as: null };
}

function findTyped(made: Index, asked: Lookup): Found {
  const typed = (asked.code ?? asked.text ?? '').trim();
  const gtin = asked.gtin ?? (asked.text && isGtin(typed) ? typed : null);
  if (asked.hibc && !asked.gtin) {
    const symbol = parseBarcode(asked.hibc);
    return findScanned(made, symbol.hibc === null ? { ...symbol, hibc: asked.hibc, reading: null } : symbol);
  }
  const key = asked.gtin ? '' : codeKey(typed);
  const found = { gtin: gtin && gtinKey(gtin), hibc: [], code: key, anyCode: asked.text ? key : '' };
  return { reading: null, matches: matchesOf(made, found), read_as: null };
}

interface Codes {
  gtin: string | null;
  hibc: string[];
  code: string;
  anyCode: string;
}

/**
 * Return the products with these codes, each once.
 *
 * The codes are a GTIN, HIBC codes, the hospital's code, and a code of any system.
 */
function matchesOf(made: Index, { gtin, hibc, code, anyCode }: Codes): ProductLookupView['matches'] {
  const found: Code[] = [
    ...(gtin ? (made.byKey.get(gtin) ?? []).filter(([, system]) => system === 'gtin') : []),
    ...hibc.flatMap((key) => (made.byKey.get(key) ?? []).filter(([, system]) => system === 'hibc')),
    ...(anyCode ? (made.byKey.get(anyCode) ?? []) : []),
  ];
  const matches = new Map<number, ProductLookupView['matches'][number]>();
  for (const [id, system, , units, label] of found.toSorted(([one], [other]) => one - other)) {
    const product = made.byId.get(id);
    if (product && !matches.has(id))
      matches.set(id, { product: viewOf(made, product), system, units, label });
  }
  const own = code ? made.byOwnCode.get(code) : undefined;
  if (own && !matches.has(own[0]))
    matches.set(own[0], { product: viewOf(made, own), system: 'code', units: 1, label: null });
  return [...matches.values()].sort((one, other) => one.product.id - other.product.id);
}

/** Return the active products with these ids, in their order. */
export async function readProducts(ids: number[]): Promise<ProductView[] | null> {
  const made = await readIndex();
  if (!made) return null;
  return ids.flatMap((id) => {
    const product = made.byId.get(id);
    return product?.[7] ? [viewOf(made, product)] : [];
  });
}

const isNamed = (name: string, q = '') => {
  const folded = foldName(name);
  return foldName(q)
    .split(' ')
    .every((word) => folded.includes(word));
};

export async function listAreas({ q, page, limit }: Asked): Promise<PageAreaView | null> {
  const made = await readIndex();
  if (!made) return null;
  const areas: AreaView[] = made.catalogue.areas.map(([id, name]) => ({ id, name }));
  const found = areas.filter(({ name }) => isNamed(name, q));
  return pageOf(
    found.sort((one, other) => compare(foldName(one.name), foldName(other.name))),
    page,
    limit,
  );
}

/** Return one of the hospital's kits. */
export async function readKit(id: number): Promise<KitView | null> {
  const kits = await listKits({ q: '', page: 1, limit: Number.MAX_SAFE_INTEGER });
  return kits?.items.find((kit) => kit.id === id) ?? null;
}

/**
 * List the hospital's kits: those of the area, then those for all areas.
 *
 * Personal kits are not stored on devices.
 */
export async function listKits({
  q,
  page,
  limit,
  area_id,
}: Asked & { area_id?: number }): Promise<PageKitView | null> {
  const made = await readIndex();
  if (!made) return null;
  const names = new Map(made.catalogue.areas);
  const kits = made.catalogue.kits
    .filter(([, name, area]) => isNamed(name, q) && (!area_id || area === null || area === area_id))
    .map(([id, name, area, lines]): KitView => {
      const area_name = area === null ? undefined : names.get(area);
      return {
        id,
        name,
        area_id: area,
        area: area !== null && area_name !== undefined ? { id: area, name: area_name } : null,
        own: false,
        user_id: null,
        version: 0,
        lines: lines.flatMap(([product_id, quantity, optional]) => {
          const product = made.byId.get(product_id);
          if (!product) return [];
          const [, productName, code, unit, , , , active] = product;
          const implant = isImplant(product) && { implant: true };
          return [
            {
              product_id,
              quantity,
              optional,
              product: { id: product_id, name: productName, code, unit, active, ...implant },
            },
          ];
        }),
      };
    });
  kits.sort(
    (one, other) =>
      Number(one.area_id === null) - Number(other.area_id === null) ||
      compare(foldName(one.name), foldName(other.name)),
  );
  return pageOf(kits, page, limit);
}
