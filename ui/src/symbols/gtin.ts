/*
 * Numbers of trade items (GTIN).
 */

/** Pad a GTIN to 14 digits. */
export const gtinKey = (digits: string) => digits.padStart(14, '0');

/**
 * Return whether it is a filler for an unknown GTIN.
 *
 * It then has an item number of zeros, or one repeated digit.
 */
const isFiller = (digits: string) => /^(?:\d(?=\d{13}$))?0+\d$/.test(digits) || /^0*(\d)\1*$/.test(digits);

/** Return whether it is a GTIN by length and check digit, not a filler. */
export function isGtin(digits: string) {
  if (!/^(\d{8}|\d{12,14})$/.test(digits) || isFiller(digits)) return false;
  return hasRightCheckDigit(digits);
}

/** Return whether the last digit is a correct GS1 check digit. */
export function hasRightCheckDigit(digits: string) {
  const sum = [...digits].reverse().reduce((so, digit, place) => so + Number(digit) * (place % 2 ? 3 : 1), 0);
  return sum % 10 === 0;
}
