import type { PatientView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';

/** Return what tells two patients of one name apart: the age and the record number. */
export function useIdentity() {
  const format = useFormat();
  return ({ date_of_birth, record_number }: Partial<Pick<PatientView, 'date_of_birth' | 'record_number'>>) =>
    [date_of_birth && format.age(date_of_birth), record_number].filter(Boolean).join(' · ');
}
