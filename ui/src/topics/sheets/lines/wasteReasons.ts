import type { UseReason } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

export type WasteReason = 'opened' | 'dropped' | 'defective' | 'expired';

/** Labels of the reasons for which supplies are thrown away, in the order of their keys. */
export const wasteReasons = {
  opened: 'waste.opened',
  dropped: 'waste.dropped',
  defective: 'waste.defective',
  expired: 'waste.expired',
} as const satisfies Record<WasteReason, MessageId>;

export const usesOfArea = {
  crash_cart: 'area.crashCart',
  cleaning: 'area.cleaning',
  training: 'area.training',
  other: 'area.other',
} as const satisfies Partial<Record<UseReason, MessageId>>;

/** Labels of what an area uses supplies for, in the order of their keys. */
export const areaReasons = {
  ...usesOfArea,
  ...wasteReasons,
} as const satisfies Record<UseReason, MessageId>;

export const AREA_REASONS = Object.keys(areaReasons) as UseReason[];
