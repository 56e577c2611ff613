/** The last moment before that one: what ends at midnight ends with the day before. */
export const lastMoment = (moment: string) => new Date(Date.parse(moment) - 1);
