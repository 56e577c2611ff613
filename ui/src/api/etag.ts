/**
 * Return the ETag of a record for `If-Match: etag(detail)`.
 *
 * A stale one is refused with 412.
 */
export const etag = ({ version }: { version: number }) => `"${version}"`;
