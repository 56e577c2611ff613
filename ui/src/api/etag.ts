/** `'If-Match': etag(detail)`: the change is refused (412) when someone else was quicker. */
export const etag = ({ version }: { version: number }) => `"${version}"`;
