import { Button, Group, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus, IconUserQuestion } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { PatientView, SheetView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { DateField, useDayRule } from '@/shared/forms/DateField';
import { FormCard } from '@/shared/forms/FormCard';
import { settled } from '@/shared/forms/useUnsavedChangesPrompt';
import { fullName } from '@/shared/records/fullName';
import { RoomSelect } from '@/topics/catalogue/RoomSelect';
import { patientFromText, usePatientForm } from '@/topics/people/PatientFields';
import { PatientSelect } from '@/topics/people/PatientSelect';
import { NewPatientDialog } from './NewPatientDialog';
import { OtherSheetsNotice } from './OtherSheetsNotice';
import classes from './SheetForm.module.css';

/** The admission data. */
export interface Particulars {
  patient_id: number | null;
  room_id: number | null;
  admission_date: string | null;
  doctor: string;
  diagnosis: string;
}

export function useSheetForm(initialValues: Particulars) {
  const t = useText();
  const required = isNotEmpty(t('form.required'));
  const dayRule = useDayRule();
  return useForm({
    initialValues,
    validate: {
      patient_id: required,
      room_id: required,
      admission_date: (day) => required(day) ?? dayRule(day),
    },
  });
}

/** Convert validated form values to the request body. */
export const draftOf = (values: Particulars) => ({
  ...values,
  patient_id: values.patient_id as number,
  room_id: values.room_id as number,
  admission_date: values.admission_date as string,
});

interface Props {
  form: UseFormReturnType<Particulars>;
  /** The stored sheet; undefined for a new one. */
  sheet?: SheetView;
  /** The name of the room that a new sheet's form starts with. */
  roomName?: string;
  save: (values: Particulars) => void;
  pending: boolean;
  /** The path of the cancel link. */
  back: string;
  submitLabel: string;
  /** The values that another user saved meanwhile, by field. */
  theirs?: Partial<Record<keyof Particulars, string>>;
  /** A notice to read before saving. */
  notice?: ReactNode;
  /** Other actions for this sheet. */
  children?: ReactNode;
}

export function SheetForm({
  form,
  sheet,
  roomName,
  save,
  pending,
  back,
  submitLabel,
  theirs,
  notice,
  children,
}: Props) {
  const t = useText();
  const mayCreatePatient = useCan('patients.save');
  const patientForm = usePatientForm(null);
  const [dialogOpened, dialog] = useDisclosure();
  const { patient_id } = form.getValues();

  function take(patient: PatientView) {
    form.setFieldValue('patient_id', patient.id);
    patientForm.reset();
    dialog.close();
    // The next field to fill in.
    window.setTimeout(() => form.getInputNode('room_id')?.focus());
  }

  /** Open the dialog; a name or record number that found no patient is already filled in. */
  function createPatient(text = '') {
    if (text && !patientForm.isDirty()) patientForm.setValues(patientFromText(text));
    dialog.open();
  }

  function cancelNewPatient() {
    dialog.close();
    window.setTimeout(() => form.getInputNode('patient_id')?.focus());
  }

  return (
    <>
      <FormCard
        form={form}
        save={save}
        pending={pending}
        alsoUnsaved={() => patientForm.isDirty()}
        back={back}
        submitLabel={submitLabel}
        notice={notice}
        extra={children}
      >
        <Stack gap="xs">
          <Group align="flex-end" gap="sm">
            <div className={classes.patient}>
              <PatientSelect
                valueName={sheet && fullName(sheet.patient)}
                autoFocus={patient_id === null}
                create={mayCreatePatient ? createPatient : undefined}
                {...form.getInputProps('patient_id')}
                {...(theirs?.patient_id && { description: theirs.patient_id })}
              />
            </div>
            {mayCreatePatient && (
              <Button
                variant="default"
                leftSection={<IconUserPlus size={20} aria-hidden />}
                onClick={() => createPatient()}
              >
                {t('patients.create')}
              </Button>
            )}
            {mayCreatePatient && !sheet && (
              <Button
                component={Link}
                to={`/consumption-sheets/unidentified${form.getValues().room_id ? `?room=${form.getValues().room_id}` : ''}`}
                replace
                state={settled}
                variant="default"
                leftSection={<IconUserQuestion size={20} aria-hidden />}
              >
                {t('unidentified.admit')}
              </Button>
            )}
          </Group>
          {patient_id !== sheet?.patient_id && <OtherSheetsNotice patientId={patient_id} />}
        </Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <RoomSelect
            label={t('sheets.room')}
            description={theirs?.room_id ?? (sheet && t('sheets.roomHint'))}
            required
            autoFocus={!sheet && patient_id !== null}
            sheetId={sheet?.id}
            valueName={sheet?.room.name ?? roomName}
            {...form.getInputProps('room_id')}
          />
          <DateField
            label={t('sheets.admissionDate')}
            description={theirs?.admission_date}
            required
            keepsText
            {...form.getInputProps('admission_date')}
          />
        </SimpleGrid>
        <TextInput
          label={t('sheets.doctor')}
          description={theirs?.doctor}
          {...form.getInputProps('doctor')}
        />
        <Textarea
          label={t('sheets.diagnosis')}
          description={theirs?.diagnosis}
          rows={3}
          resize="vertical"
          {...form.getInputProps('diagnosis')}
        />
      </FormCard>
      <NewPatientDialog form={patientForm} opened={dialogOpened} close={cancelNewPatient} take={take} />
    </>
  );
}
