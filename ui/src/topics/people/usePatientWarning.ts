import type { PatientView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

/**
 * Return what distinguishes patients of the same name.
 *
 * This is the record number and the date of birth.
 */
export function usePatientWarning() {
  const t = useText();
  const format = useFormat();
  return ({ record_number, date_of_birth }: PatientView) =>
    [record_number, date_of_birth && t('person.born', { day: format.day(date_of_birth) })]
      .filter(Boolean)
      .join(' · ');
}
