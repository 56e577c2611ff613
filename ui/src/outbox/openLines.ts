/** Functions that record the lines waiting only for the record delay. */
const recorders = new Set<() => Promise<unknown>>();

/**
 * Register a function that records a page's open lines on sign-out.
 *
 * Returns a function that removes it.
 */
export function addOpenLines(record: () => Promise<unknown>) {
  recorders.add(record);
  return () => {
    recorders.delete(record);
  };
}

/** Store all open lines without a question in the outbox. */
export const recordOpenLines = () => Promise.all([...recorders].map((record) => record()));
