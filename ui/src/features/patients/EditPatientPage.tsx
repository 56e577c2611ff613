import { useNavigate, useParams } from 'react-router-dom';
import {
  type PatientView,
  useDeletePatientMutation,
  useReadPatientQuery,
  useUpdatePatientMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { DeleteButton } from '@/components/forms/DeleteButton';
import { FormCard } from '@/components/forms/FormCard';
import { useSubmit } from '@/components/forms/useSubmit';
import { fullName } from '@/components/people/fullName';
import {
  PatientFields,
  type PatientValues,
  patientDraftOf,
  patientValues,
  usePatientForm,
} from '@/components/people/PatientFields';
import { PageLoader } from '@/components/ui/PageLoader';
import { usePageTitle } from '@/components/ui/pageName';
import { useReturnPath } from '@/components/ui/useReturnPath';
import { useCan } from '@/session/useCan';

export default function EditPatientPage() {
  const { id } = useParams();
  const patient = useReadPatientQuery({ patientId: Number(id) });
  throwOnError(patient);
  return patient.currentData ? (
    <EditPatientForm key={patient.currentData.id} patient={patient.currentData} />
  ) : (
    <PageLoader />
  );
}

function EditPatientForm({ patient }: { patient: PatientView }) {
  usePageTitle(fullName(patient), true);
  const navigate = useNavigate();
  const mayDelete = useCan('patients.delete');
  const [updatePatient] = useUpdatePatientMutation();
  const [deletePatient] = useDeletePatientMutation();
  const { submit, pending } = useSubmit();
  const form = usePatientForm(patient);
  const back = useReturnPath(`/patients/${patient.id}`);

  async function save(values: PatientValues) {
    const updated = await submit(
      () => updatePatient({ patientId: patient.id, patientDraft: patientDraftOf(values) }),
      { form, success: 'patients.updated' },
    );
    if (updated.ok) navigate(back, { replace: true });
  }

  return (
    <FormCard
      form={form}
      save={save}
      pending={pending}
      back={back}
      extra={
        mayDelete && (
          <DeleteButton
            label="patients.delete"
            question="patients.delete.question"
            success="patients.deleted"
            what={fullName(patient)}
            run={() => deletePatient({ patientId: patient.id })}
            after="/patients"
            instead={
              patient.active === 1
                ? {
                    question: 'patients.deactivate.question',
                    action: 'patients.deactivate',
                    success: 'patients.updated',
                    run: () =>
                      updatePatient({
                        patientId: patient.id,
                        patientDraft: patientDraftOf({ ...patientValues(patient), active: false }),
                      }),
                  }
                : undefined
            }
          />
        )
      }
    >
      <PatientFields form={form} patient={patient} autoFocus />
    </FormCard>
  );
}
