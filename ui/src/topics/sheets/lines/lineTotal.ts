/**
 * Return price × quantity, rounded half up to the cent as the server does.
 *
 * It uses integers, because binary fractions lose half cents.
 */
export function lineTotal(price: number, quantity: number): number {
  const thousandthsOfCents = BigInt(Math.round(price * 100)) * BigInt(Math.round(quantity * 1000));
  return Number((thousandthsOfCents + 500n) / 1000n) / 100;
}
