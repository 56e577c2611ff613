/*
 * Values that tests search for where they must not appear.
 *
 * No time or id contains them by chance.
 */

/** Price and category code of the product in tests. The seconds of a time have two digits. */
export const COST = /(?<!\d)0\.35|\bGR\b/;
/** Secret of a link, too long to be part of a made-up id. */
export const SECRET = 's3cret-of-a-link-of-these-tests';
