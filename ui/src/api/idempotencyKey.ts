/**
 * Return a random UUID.
 *
 * `crypto.randomUUID` needs https or localhost, but wards also use plain http in their own network.
 */
export function newIdempotencyKey() {
  return (
    crypto.randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    )
  );
}
