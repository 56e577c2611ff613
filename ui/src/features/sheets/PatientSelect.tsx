import { type PatientView, useListPatientsQuery } from '@/api/generated';
import { fullName } from '@/components/fullName';
import { SearchSelect } from '@/components/SearchSelect';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

interface Props {
  value?: number | null;
  onChange: (id: number | null) => void;
  valueName?: string;
  description?: string;
}

const usePatients = (q: string | undefined, skip: boolean) =>
  useListPatientsQuery({ q, active: true }, { skip });

/** Among namesakes the record number and the date of birth tell who is meant. */
export function PatientSelect(props: Props) {
  const t = useText();
  const format = useFormat();
  const note = ({ record_number, date_of_birth }: PatientView) =>
    [record_number, date_of_birth && t('person.born', { day: format.day(date_of_birth) })]
      .filter(Boolean)
      .join(' · ');
  return (
    <SearchSelect<PatientView>
      label={t('sheets.patient')}
      description={t('sheets.patientHint')}
      required
      useFound={usePatients}
      nameOf={fullName}
      noteOf={note}
      {...props}
    />
  );
}
