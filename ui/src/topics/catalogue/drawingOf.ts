import { productWords } from '@/i18n/fold';

export type Drawing =
  | 'syringe'
  | 'needle'
  | 'catheter'
  | 'glove'
  | 'gauze'
  | 'solution'
  | 'suture'
  | 'tube'
  | 'mask'
  | 'box'
  | 'other';

/** Beginnings of folded Spanish and English words. Those of up to three letters are whole words. */
const WORDS: Record<Exclude<Drawing, 'box' | 'other'>, string[]> = {
  syringe: ['jering', 'syring'],
  needle: ['aguja', 'needle', 'lancet', 'palomilla'],
  catheter: [
    'catet',
    'cath',
    'sonda',
    'canul',
    'cannul',
    'angiocath',
    'abbocath',
    'punzocat',
    'foley',
    'dren',
  ],
  glove: ['guante', 'glove'],
  gauze: [
    ...['gasa', 'aposit', 'compres', 'venda', 'vendaje', 'torund', 'algodon', 'parche'],
    ...['gauze', 'dressing', 'bandag', 'sponge', 'cotton', 'tegaderm'],
  ],
  solution: [
    ...['solucion', 'suero', 'bolsa', 'cloruro', 'ringer', 'hartmann'],
    ...['solution', 'saline', 'bag', 'bags'],
  ],
  suture: ['sutur', 'seda', 'nylon', 'vicryl', 'catgut', 'monofil', 'prolene'],
  tube: ['tubo', 'tube', 'tubing', 'vacutainer'],
  mask: ['mascarill', 'cubreboc', 'mask', 'respirador', 'respirator', 'n95'],
};
/** They name how something is packed, so any other word is more telling. */
const PACKS = ['caja', 'paquete', 'bandeja', 'equipo', 'set', 'kit', 'box', 'pack', 'tray'];

/**
 * Choose the drawing of a product without a picture.
 *
 * The product's name wins over the category's, and an earlier word over a later one.
 */
export function drawingOf(name: string, category = ''): Drawing {
  const [ofName, ofCategory] = [name, category].map(productWords);
  return (
    find(ofName) ??
    find(ofCategory) ??
    ([ofName, ofCategory].some((one) => one?.some(isPack)) ? 'box' : 'other')
  );
}

const begins = (word: string, stem: string) => (stem.length > 3 ? word.startsWith(stem) : word === stem);
const isPack = (word: string) => PACKS.some((stem) => begins(word, stem));

function find(words: string[] = []): Drawing | undefined {
  for (const word of words)
    for (const [drawing, stems] of Object.entries(WORDS))
      if (stems.some((stem) => begins(word, stem))) return drawing as Drawing;
  return undefined;
}
