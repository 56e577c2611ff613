/** So many lines of a sheet come at once. */
export const DETAILS_PAGE_SIZE = 100;
