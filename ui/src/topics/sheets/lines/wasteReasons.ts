import type { UseReason } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

/** Labels of the reasons for which supplies are thrown away, in the order of their keys. */
export const wasteReasons = {
  opened: 'waste.opened',
  dropped: 'waste.dropped',
  defective: 'waste.defective',
  expired: 'waste.expired',
} as const satisfies Record<UseReason, MessageId>;
