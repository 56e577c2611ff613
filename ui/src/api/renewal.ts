/** The change that is about to give the session another token, or the last one that did. */
let renewal: Promise<unknown> = Promise.resolve();

/** Announce a change that ends the token of now and brings the next one. */
export function renewing<T>(change: Promise<T>): Promise<T> {
  renewal = change.catch(() => {});
  return change;
}

/** Wait until the session has the token that it will go on with. */
export const tokenSettled = () => renewal;
