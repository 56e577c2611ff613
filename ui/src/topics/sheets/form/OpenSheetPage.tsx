import { Alert, Anchor } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import {
  type PatientView,
  type RoomView,
  useOpenSheetMutation,
  useReadPatientQuery,
  useReadRoomQuery,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import { fullName } from '@/shared/records/fullName';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { PageLoader } from '@/shared/ui/PageLoader';
import { useReturnState } from '@/shared/ui/useReturnPath';
import { draftOf, type Particulars, SheetForm, useSheetForm } from './SheetForm';

/**
 * Open a consumption sheet for an admitted patient.
 *
 * The patient and the room may be given in the URL.
 */
export default function OpenSheetPage() {
  const [params] = useSearchParams();
  const patientId = Number(params.get('patient')) || null;
  const patient = useReadPatientQuery({ patientId: patientId ?? 0 }, { skip: patientId === null });
  throwOnError(patient);
  const roomId = Number(params.get('room')) || null;
  const room = useReadRoomQuery({ roomId: roomId ?? 0 }, { skip: roomId === null });
  throwOnError(room);
  // The form starts with fresh data, not with a stale copy that is being refetched, and then keeps its own values.
  const [first, setFirst] = useState<PatientView>();
  const { currentData, isFetching } = patient;
  if (currentData && !isFetching && first?.id !== currentData.id) setFirst(currentData);
  if (patientId !== null && first?.id !== patientId) return <PageLoader />;
  if (roomId !== null && !room.currentData) return <PageLoader />;
  return (
    <OpenSheetForm
      key={`${patientId} ${roomId}`}
      patient={patientId === null ? undefined : first}
      room={room.currentData}
    />
  );
}

function OpenSheetForm({ patient, room }: { patient?: PatientView; room?: RoomView }) {
  const t = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const here = useReturnState();
  const [openSheet] = useOpenSheetMutation();
  const { submit, pending } = useSubmit();
  const form = useSheetForm({
    patient_id: patient?.active ? patient.id : null,
    room_id: room?.id ?? null,
    admission_date: format.dayOf(new Date()),
    doctor: '',
    diagnosis: '',
  });

  async function save(values: Particulars) {
    const opened = await submit((key) => openSheet({ 'Idempotency-Key': key, sheetDraft: draftOf(values) }), {
      form,
      success: 'sheets.opened',
    });
    if (opened.ok) navigate(detailsOf(opened.data), { replace: true });
  }

  return (
    <SheetForm
      form={form}
      save={save}
      pending={pending}
      roomName={room?.name}
      back={patient ? `/patients/${patient.id}` : room ? '/' : '/consumption-sheets'}
      submitLabel={t('sheets.create')}
      notice={
        patient?.active === 0 && (
          <Alert color="yellow">
            <span>{t('sheets.inactivePatient', { patient: fullName(patient) })}</span>{' '}
            <Anchor
              component={Link}
              to={`/patients/${patient.id}/edit`}
              state={here}
              c="inherit"
              underline="always"
              fw={600}
            >
              {t('patients.edit')}
            </Anchor>
          </Alert>
        )
      }
    />
  );
}
