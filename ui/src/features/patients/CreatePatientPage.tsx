import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router-dom';
import { useCreatePatientMutation } from '@/api/generated';
import { FormCard } from '@/components/forms/FormCard';
import { useSubmit } from '@/components/forms/useSubmit';
import {
  PatientFields,
  type PatientValues,
  patientDraftOf,
  usePatientForm,
} from '@/components/people/PatientFields';
import { PossibleDuplicates } from '@/components/people/PossibleDuplicates';
import { useReturnPath } from '@/components/ui/useReturnPath';
import { useText } from '@/i18n/useText';

export default function CreatePatientPage() {
  const t = useText();
  const navigate = useNavigate();
  const [createPatient, { isSuccess }] = useCreatePatientMutation();
  const { submit, pending } = useSubmit();
  const form = usePatientForm(null);

  async function save(values: PatientValues) {
    const created = await submit(() => createPatient({ patientDraft: patientDraftOf(values) }), {
      form,
      success: 'patients.created',
    });
    if (created.ok) navigate(`/patients/${created.data.id}`, { replace: true });
  }

  return (
    <FormCard form={form} save={save} pending={pending} back={useReturnPath('/patients')}>
      <PatientFields form={form} autoFocus />
      <PossibleDuplicates
        values={form.values}
        looking={!pending && !isSuccess}
        action={(patient) => (
          <Button component={Link} to={`/patients/${patient.id}`} variant="default">
            {t('patients.see')}
          </Button>
        )}
      />
    </FormCard>
  );
}
