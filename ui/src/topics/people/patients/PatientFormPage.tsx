import { Button } from '@mantine/core';
import { Link, useNavigate, useParams } from 'react-router-dom';
import {
  type PatientView,
  useCreatePatientMutation,
  useDeletePatientMutation,
  useReadPatientQuery,
  useUpdatePatientMutation,
} from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { DeleteButton } from '@/shared/forms/DeleteButton';
import { RecordForm } from '@/shared/forms/RecordForm';
import { fullName } from '@/shared/records/fullName';
import { Loaded } from '@/shared/ui/Loaded';
import { usePageTitle } from '@/shared/ui/pageName';
import { useReturnPath } from '@/shared/ui/useReturnPath';
import {
  PatientFields,
  type PatientValues,
  patientDraftOf,
  patientValues,
  usePatientForm,
} from '../PatientFields';
import { PossibleDuplicates } from '../PossibleDuplicates';

/** Create a patient, or edit the one in the URL. */
export default function PatientFormPage() {
  const { id } = useParams();
  const read = useReadPatientQuery({ patientId: Number(id) }, { skip: !id });
  return id ? (
    <Loaded read={read}>{(patient) => <EditPatientForm patient={patient} />}</Loaded>
  ) : (
    <CreatePatientForm />
  );
}

function CreatePatientForm() {
  const t = useText();
  const navigate = useNavigate();
  const [createPatient, { isLoading, isSuccess }] = useCreatePatientMutation();
  const form = usePatientForm(null);
  return (
    <RecordForm
      form={form}
      run={(values) => createPatient({ patientDraft: patientDraftOf(values) })}
      success="patients.created"
      back={useReturnPath('/patients')}
      onSaved={({ id }) => navigate(`/patients/${id}`, { replace: true })}
    >
      <PatientFields form={form} autoFocus />
      <PossibleDuplicates
        values={form.values}
        looking={!isLoading && !isSuccess}
        action={(patient) => (
          <Button component={Link} to={`/patients/${patient.id}`} variant="default">
            {t('patients.see')}
          </Button>
        )}
      />
    </RecordForm>
  );
}

function EditPatientForm({ patient }: { patient: PatientView }) {
  usePageTitle(fullName(patient), true);
  const mayDelete = useCan('patients.delete');
  const [updatePatient] = useUpdatePatientMutation();
  const [deletePatient] = useDeletePatientMutation();
  const form = usePatientForm(patient);
  const update = (values: PatientValues) =>
    updatePatient({ patientId: patient.id, patientDraft: patientDraftOf(values) });
  return (
    <RecordForm
      form={form}
      run={update}
      success="patients.updated"
      back={useReturnPath(`/patients/${patient.id}`)}
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
                    run: () => update({ ...patientValues(patient), active: false }),
                  }
                : undefined
            }
          />
        )
      }
    >
      <PatientFields form={form} patient={patient} autoFocus />
    </RecordForm>
  );
}
