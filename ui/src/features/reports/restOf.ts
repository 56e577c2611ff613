import type { ConsumptionPage } from '@/api/generated';

/** In cents: sums of binary fractions stray. */
const cents = (amount = 0) => Math.round(amount * 100);

/** What the rows that are not shown come to, so that what is shown adds up to the whole. */
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
