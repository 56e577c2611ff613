/**
 * How long a line without a question stays open for corrections, in milliseconds.
 *
 * An object rather than a constant, because tests set it and test files share modules.
 */
export const recordDelay = { ms: 3_000 };
