/** When something was used, which is not when it arrived where it waited on a device. */
export const timeOfUse = ({ occurred_at, created_at }: { occurred_at?: string | null; created_at: string }) =>
  occurred_at ?? created_at;
