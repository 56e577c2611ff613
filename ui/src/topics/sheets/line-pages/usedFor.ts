import type { UsedFor } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

/** For whom lines were used, in the order in which it is chosen. */
export const usedForLabels = {
  all: 'details.usedFor.all',
  patients: 'details.usedFor.patients',
  area: 'details.usedFor.area',
  wasted: 'details.usedFor.wasted',
} as const satisfies Record<UsedFor, MessageId>;

const choices = Object.keys(usedForLabels) as UsedFor[];

/** Return the choice of an address, or the usual one if it names none. */
export const usedForAmong = (asked: string | undefined, usual: UsedFor) =>
  choices.find((one) => one === asked) ?? usual;
