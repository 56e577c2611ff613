import { Button, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type PatientView, useCreatePatientMutation, useUpdatePatientMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DialogForm } from '@/shared/forms/DialogForm';
import { useSubmit } from '@/shared/forms/useSubmit';
import {
  PatientFields,
  type PatientValues,
  patientDraftOf,
  patientValues,
} from '@/topics/people/PatientFields';
import { PossibleDuplicates } from '@/topics/people/PossibleDuplicates';

interface Props {
  /** Owned by the sheet's form, so that a reopened dialog still has its values. */
  form: UseFormReturnType<PatientValues>;
  opened: boolean;
  close: () => void;
  /** Use the patient for the sheet: the new one, or an existing one. */
  take: (patient: PatientView) => void;
}

/** Register the admitted patient without leaving the form of the sheet. */
export function NewPatientDialog({ form, opened, close, take }: Props) {
  const t = useText();
  const [createPatient] = useCreatePatientMutation();
  const [updatePatient] = useUpdatePatientMutation();
  const { submit, pending } = useSubmit();

  async function save(values: PatientValues) {
    const created = await submit(() => createPatient({ patientDraft: patientDraftOf(values) }), {
      form,
      success: 'patients.created',
    });
    if (created.ok) take(created.data);
  }

  async function reactivate(patient: PatientView) {
    const patientDraft = patientDraftOf({ ...patientValues(patient), active: true });
    const updated = await submit(() => updatePatient({ patientId: patient.id, patientDraft }), {
      success: 'patients.updated',
    });
    if (updated.ok) take(updated.data);
  }

  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={t('patients.create')}
      centered={false}
      closeOnClickOutside={false}
      returnFocus={false}
      size="44rem"
      xOffset="sm"
    >
      <DialogForm
        form={form}
        onSubmit={save}
        onCancel={close}
        action={t('patients.create')}
        pending={pending}
      >
        <PatientFields form={form} atAdmission />
        <PossibleDuplicates
          values={form.values}
          looking={opened && !pending}
          action={(patient) =>
            patient.active === 1 ? (
              <Button variant="default" onClick={() => take(patient)}>
                {t('patients.choose')}
              </Button>
            ) : (
              <Button variant="default" loading={pending} onClick={() => reactivate(patient)}>
                {t('patients.reactivate')}
              </Button>
            )
          }
        />
        <Text size="sm" c="dimmed">
          {t('form.requiredHint')}
        </Text>
      </DialogForm>
    </Dialog>
  );
}
