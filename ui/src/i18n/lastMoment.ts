/**
 * Return the moment just before an exclusive end.
 *
 * A period that ends at midnight ends on the day before.
 */
export const lastMoment = (moment: string) => new Date(Date.parse(moment) - 1);
