import type { ConsumptionPage } from '@/api/generated';

/** Convert to cents, because sums of binary fractions are not exact. */
const cents = (amount = 0) => Math.round(amount * 100);

/**
 * Sum the rows that are not shown.
 *
 * With them, the displayed figures add up to the total.
 */
export function restOf({ items, meta, sums }: ConsumptionPage) {
  return {
    rows: meta.total - items.length,
    details: items.reduce((rest, row) => rest - row.details, sums.details),
    total:
      sums.total === undefined
        ? undefined
        : items.reduce((rest, row) => rest - cents(row.total), cents(sums.total)) / 100,
  };
}
