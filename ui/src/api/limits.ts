/** So many lines of a sheet come at once. */
export const DETAILS_AT_ONCE = 100;
