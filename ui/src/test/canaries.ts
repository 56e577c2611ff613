/*
 * What tests look for where it must not be, and what no time and no id holds by chance.
 */

/** The price of the product that tests record, and its category. The seconds of a time have two digits. */
export const COST = /(?<!\d)0\.35|\bGR\b/;
/** The secret of a link, too long to be part of a made-up id. */
export const SECRET = 's3cret-of-a-link-of-these-tests';
