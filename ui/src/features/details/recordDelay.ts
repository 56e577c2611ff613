/** How long a line without a question stays open, so that it can be corrected. In milliseconds. */
export const RECORD_DELAY = 3_000;
