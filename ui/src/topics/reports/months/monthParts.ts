import type { MonthPartsView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

interface MonthPart {
  part: keyof MonthPartsView;
  label: MessageId;
}

/** The parts of all use, in the order and with the names of the report. */
export const monthParts: MonthPart[] = [
  { part: 'treatment', label: 'reports.treatment' },
  { part: 'area', label: 'details.areaUse' },
  { part: 'wasted', label: 'details.usedFor.wasted' },
];
