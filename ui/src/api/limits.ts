/** Page size of the lines of a sheet. */
export const DETAILS_PAGE_SIZE = 100;

/** Maximum number of search results that a selector offers. */
export const OPTIONS_LIMIT = 25;
