/**
 * How long a line stays open for corrections, in milliseconds.
 *
 * This applies to lines without a question. It is an object rather than a constant, because tests set it,
 * and test files share modules.
 */
export const recordDelay = { ms: 3_000 };
