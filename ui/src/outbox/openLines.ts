/** What records the lines of open pages that only wait for their delay. */
const recorders = new Set<() => Promise<unknown>>();

/** Have the open lines of a page recorded before the session ends; returns what takes it away. */
export function addOpenLines(record: () => Promise<unknown>) {
  recorders.add(record);
  return () => {
    recorders.delete(record);
  };
}

/** Put every open line without a question on the device. */
export const recordOpenLines = () => Promise.all([...recorders].map((record) => record()));
