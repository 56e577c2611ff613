import type { MessageId } from '@/i18n/language';

/** Labels of the reasons for a return. */
export const returnReasons = {
  unused: 'return.unused',
  defective: 'return.defective',
  wrong_item: 'return.wrong_item',
} as const satisfies Record<string, MessageId>;
