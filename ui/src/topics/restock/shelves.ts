import type { RestockLineView } from '@/api/generated';
import { foldProduct, productWords } from '@/i18n/fold';

/** The lines of one shelf. */
export interface ShelfGroup {
  shelf: string | null;
  lines: RestockLineView[];
}

/** Group lines in shelf order by their shelf. */
export function groupByShelf(lines: RestockLineView[]): ShelfGroup[] {
  const groups: ShelfGroup[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last?.shelf === line.shelf) last.lines.push(line);
    else groups.push({ shelf: line.shelf, lines: [line] });
  }
  return groups;
}

/** Whether everything that is needed was put back. */
export const isPutBack = ({ put_back, needed }: RestockLineView) =>
  put_back !== null && put_back.quantity >= needed;

/** What to put on the shelf. */
export const amountOf = ({ fixed_amount, needed, put_back }: RestockLineView) =>
  fixed_amount ?? (put_back && put_back.quantity >= needed ? put_back.quantity : needed);

/** Whether each word of the text is in the product's name, code or shelf. */
export function matches({ product, shelf }: RestockLineView, text: string) {
  const all = [product.name, product.code ?? '', shelf ?? ''].map(foldProduct);
  return productWords(text).every((word) => all.some((one) => one.includes(word)));
}
