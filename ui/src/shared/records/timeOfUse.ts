/**
 * Return when a supply was used.
 *
 * It may have waited on a device, so this can differ from the time of arrival.
 */
export const timeOfUse = ({ occurred_at, created_at }: { occurred_at?: string | null; created_at: string }) =>
  occurred_at ?? created_at;
