import { useState } from 'react';
import { type PatientView, useListPatientsQuery, useReadPatientQuery } from '@/api/generated';
import { fullName } from '@/components/fullName';
import { SearchSelect } from '@/components/SearchSelect';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

interface Props {
  value?: number | null;
  onChange: (id: number | null) => void;
  valueName?: string;
  description?: string;
  autoFocus?: boolean;
}

const usePatients = (q: string | undefined, skip: boolean) =>
  useListPatientsQuery({ q, active: true }, { skip });

/** Among namesakes the record number and the date of birth tell who is meant. */
export function PatientSelect({ value = null, onChange, ...rest }: Props) {
  const t = useText();
  const format = useFormat();
  const note = ({ record_number, date_of_birth }: PatientView) =>
    [record_number, date_of_birth && t('person.born', { day: format.day(date_of_birth) })]
      .filter(Boolean)
      .join(' · ');
  const [chosen, setChosen] = useState<PatientView | null>(null);
  const isChosen = value !== null && chosen?.id === value;
  const stored = useReadPatientQuery({ patientId: value ?? 0 }, { skip: value === null || isChosen });
  const patient = isChosen ? chosen : value === null ? undefined : stored.currentData;
  return (
    <SearchSelect<PatientView>
      label={t('sheets.patient')}
      description={(patient && note(patient)) || t('sheets.patientHint')}
      required
      useFound={usePatients}
      nameOf={fullName}
      noteOf={note}
      value={value}
      onChange={(id, item) => {
        setChosen(item);
        onChange(id);
      }}
      {...rest}
    />
  );
}
