/**
 * How long a line without a question stays open, so that it can be corrected, in milliseconds. A field and no constant,
 * because tests set it, and modules are shared among their files.
 */
export const recordDelay = { ms: 3_000 };
