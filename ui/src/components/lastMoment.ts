/** Return the moment just before an exclusive end: a period that ends at midnight ends on the day before. */
export const lastMoment = (moment: string) => new Date(Date.parse(moment) - 1);
