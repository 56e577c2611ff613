/** `randomUUID` exists only on https and localhost; wards also run plain http inside their own network. */
export function newIdempotencyKey() {
  return (
    crypto.randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    )
  );
}
