import type { KitReviewItemView } from '@/api/generated';
import type { KitLineValues } from './KitLines';

/** A proposed change of a kit that the user has ticked. */
export type KitChange = Pick<KitReviewItemView, 'product'> & {
  proposal: NonNullable<KitReviewItemView['proposal']>;
};

/** Return the lines of a kit with the changes. New products come last. */
export function withChanges(lines: KitLineValues[], changes: KitChange[]): KitLineValues[] {
  const left = new Map(changes.map((change) => [change.product.id, change]));
  const changed = lines.flatMap((line) => {
    const change = left.get(line.product.id);
    left.delete(line.product.id);
    return change ? lineOf(change) : [line];
  });
  return [...changed, ...[...left.values()].flatMap(lineOf)];
}

const lineOf = ({ product, proposal: { quantity, optional } }: KitChange): KitLineValues[] =>
  quantity === null ? [] : [{ product, quantity, optional: Boolean(optional) }];
