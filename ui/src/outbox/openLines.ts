/** Functions that record the lines of open pages which only wait for the record delay. */
const recorders = new Set<() => Promise<unknown>>();

/** Register a function that records the open lines of a page before the session ends. Return its removal. */
export function addOpenLines(record: () => Promise<unknown>) {
  recorders.add(record);
  return () => {
    recorders.delete(record);
  };
}

/** Store all open lines without a question in the outbox. */
export const recordOpenLines = () => Promise.all([...recorders].map((record) => record()));
