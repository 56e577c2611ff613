/** The latest change that gives the session a new token; it may still be pending. */
let renewal: Promise<unknown> = Promise.resolve();

/** Register a change that ends the current token and brings the next one. */
export function renewing<T>(change: Promise<T>): Promise<T> {
  renewal = change.catch(() => {});
  return change;
}

/** Wait until the session has its new token. */
export const tokenSettled = () => renewal;
