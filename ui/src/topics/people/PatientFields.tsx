import { Switch, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { PatientView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { PersonFields, personValues, usePersonValidation } from './PersonFields';

/** Return the form values of a patient, or of an empty form for null. */
export const patientValues = (patient: PatientView | null) => ({
  ...personValues(patient),
  record_number: patient?.record_number ?? '',
  active: patient?.active !== 0,
});

export type PatientValues = ReturnType<typeof patientValues>;

/**
 * Return form values for the text of a search.
 *
 * A text with a digit is a record number. Of three or more words, the last two are the surnames.
 */
export function patientFromText(text: string): Partial<PatientValues> {
  const words = text.trim().split(/\s+/);
  if (/\d/.test(text)) return { record_number: text.trim() };
  if (words.length < 3) return { name: words[0] ?? '', first_surname: words[1] ?? '' };
  return {
    name: words.slice(0, -2).join(' '),
    first_surname: words.at(-2) ?? '',
    second_surname: words.at(-1) ?? '',
  };
}

/**
 * Return whether the given name is required.
 *
 * The hospital's system admits newborns without one, to be filled in later.
 */
const isNameRequired = (patient: PatientView | null) => patient === null || patient.name !== '';

export function usePatientForm(patient: PatientView | null) {
  return useForm({
    initialValues: patientValues(patient),
    validate: usePersonValidation({ isNameRequired: isNameRequired(patient) }),
  });
}

/** Convert form values to the request body. */
export const patientDraftOf = (values: PatientValues) => ({
  ...values,
  date_of_birth: values.date_of_birth ?? undefined,
  active: values.active ? 1 : 0,
});

interface Props {
  form: UseFormReturnType<PatientValues>;
  /** The patient being edited; absent for a new one. */
  patient?: PatientView | null;
  autoFocus?: boolean;
  /** Whether the form admits a new patient, who is always active: the field is hidden. */
  atAdmission?: boolean;
}

export function PatientFields({ form, patient = null, autoFocus, atAdmission }: Props) {
  const t = useText();
  return (
    <PersonFields form={form} autoFocus={autoFocus} isNameRequired={isNameRequired(patient)}>
      <TextInput
        label={t('person.recordNumber')}
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps('record_number')}
      />
      {!atAdmission && (
        <Switch
          label={t('patients.active')}
          description={t('patients.activeHint')}
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
      )}
    </PersonFields>
  );
}
