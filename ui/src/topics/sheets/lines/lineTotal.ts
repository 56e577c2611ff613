import type { DetailView } from '@/api/generated';

/**
 * Return price × quantity, rounded half up to the cent as the server does; 0 for what is not charged.
 *
 * It uses integers, because binary fractions lose half cents.
 */
export function lineTotal(price: number, quantity: number, isUnbilled = false): number {
  if (isUnbilled) return 0;
  const thousandthsOfCents = BigInt(Math.round(price * 100)) * BigInt(Math.round(quantity * 1000));
  return Number((thousandthsOfCents + 500n) / 1000n) / 100;
}

/** Return what a line is worth: its total, or for an area, which is charged nothing, price × quantity. */
export const worthOf = ({ total, unit_price, quantity, unbilled }: DetailView) =>
  unbilled === 'area' && unit_price !== undefined ? lineTotal(unit_price, quantity) : total;
