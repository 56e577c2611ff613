/** So many lines of a sheet come at once. */
export const DETAILS_PAGE_SIZE = 100;

/** How many of what was searched for are offered. */
export const OPTIONS_LIMIT = 25;
