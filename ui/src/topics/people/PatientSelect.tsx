import { useState } from 'react';
import { type PatientView, useListPatientsQuery, useReadPatientQuery } from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { useText } from '@/i18n/useText';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { fullName } from '@/shared/records/fullName';
import { usePatientWarning } from './usePatientWarning';

interface Props {
  value?: number | null;
  onChange: (id: number | null) => void;
  /** Name of the patient of `value` until it is loaded. */
  valueName?: string;
  description?: string;
  autoFocus?: boolean;
  /** Register a new patient, for users who may. The text is what was typed. */
  create?: (text: string) => void;
}

const usePatients = (q: string | undefined, skip: boolean) =>
  useListPatientsQuery({ q, active: true, limit: OPTIONS_LIMIT }, { skip });

export function PatientSelect({ value = null, onChange, valueName, create, ...rest }: Props) {
  const t = useText();
  const note = usePatientWarning();
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
      create={create && { label: () => t('patients.create'), run: create }}
      valueName={patient ? fullName(patient) : valueName}
      value={value}
      onChange={(id, item) => {
        setChosen(item);
        onChange(id);
      }}
      {...rest}
    />
  );
}
