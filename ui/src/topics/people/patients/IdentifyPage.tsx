import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router-dom';
import {
  type PatientView,
  useIdentifyPatientMutation,
  useListPatientsQuery,
  useReadPatientQuery,
} from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { FormCard } from '@/shared/forms/FormCard';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { useSubmit } from '@/shared/forms/useSubmit';
import { fullName } from '@/shared/records/fullName';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePageTitle } from '@/shared/ui/pageName';
import { useReturnPath } from '@/shared/ui/useReturnPath';
import { PatientFields, patientValues } from '../PatientFields';
import { usePersonValidation } from '../PersonFields';
import { PossibleDuplicates } from '../PossibleDuplicates';
import { usePatientWarning } from '../usePatientWarning';

/** Say who an unidentified patient is: a new person, or one who is registered. */
export default function IdentifyPage() {
  const patientId = Number(useParams().id);
  const read = useReadPatientQuery({ patientId });
  const [asked, setAsked] = useState<PatientView>();
  throwOnError(read);
  const patient = read.currentData;
  // Once identified, the form stays until it has led back.
  if (patient?.unidentified && asked?.id !== patient.id) setAsked(patient);
  if (!patient) return <PageLoader />;
  if (asked?.id !== patient.id) return <Navigate to={`/patients/${patientId}`} replace />;
  return <IdentifyForm key={patientId} patient={asked} />;
}

function IdentifyForm({ patient }: { patient: PatientView }) {
  const t = useText();
  const note = usePatientWarning();
  const navigate = useNavigate();
  const back = useReturnPath(`/patients/${patient.id}`);
  usePageTitle(fullName(patient), true);
  const [identify, { isSuccess }] = useIdentifyPatientMutation();
  const { submit, pending } = useSubmit();
  const [isRegistered, setRegistered] = useState(false);
  const [known, setKnown] = useState<PatientView | null>(null);
  const rules = usePersonValidation();
  const form = useForm({
    initialValues: {
      ...patientValues({ ...patient, first_surname: '' }),
      into_id: null as number | null,
    },
    validate: (values) => {
      if (isRegistered) return values.into_id === null ? { into_id: t('form.required') } : {};
      return {
        name: rules.name?.(values.name),
        first_surname: rules.first_surname(values.first_surname),
        date_of_birth: rules.date_of_birth(values.date_of_birth),
      };
    },
  });

  const usePatients = (q: string | undefined, skip: boolean) => {
    const found = useListPatientsQuery({ q, limit: OPTIONS_LIMIT }, { skip });
    const { currentData } = found;
    return {
      ...found,
      currentData: currentData && {
        ...currentData,
        items: currentData.items.filter(({ unidentified }) => !unidentified),
      },
    };
  };

  function choose(one: PatientView) {
    setKnown(one);
    setRegistered(true);
    form.setFieldValue('into_id', one.id);
  }

  async function save({ into_id, active: _, ...values }: typeof form.values) {
    const identityDraft = isRegistered
      ? { into_id: into_id as number }
      : { ...values, date_of_birth: values.date_of_birth ?? undefined };
    const done = await submit(() => identify({ patientId: patient.id, identityDraft }), {
      form,
      success: 'unidentified.identified',
    });
    if (done.ok)
      navigate(back === `/patients/${patient.id}` ? `/patients/${done.data.id}` : back, { replace: true });
  }

  return (
    <FormCard form={form} save={save} pending={pending} back={back} submitLabel={t('unidentified.identify')}>
      <Group gap="xs">
        <Button
          variant={isRegistered ? 'default' : 'light'}
          aria-pressed={!isRegistered}
          onClick={() => setRegistered(false)}
        >
          {t('unidentified.isNew')}
        </Button>
        <Button
          variant={isRegistered ? 'light' : 'default'}
          aria-pressed={isRegistered}
          onClick={() => setRegistered(true)}
        >
          {t('unidentified.isRegistered')}
        </Button>
      </Group>
      {isRegistered ? (
        <Stack gap="xs">
          <SearchSelect<PatientView>
            label={t('sheets.patient')}
            description={known ? note(known) : t('sheets.patientHint')}
            required
            autoFocus
            useFound={usePatients}
            nameOf={fullName}
            noteOf={note}
            valueName={known ? fullName(known) : undefined}
            {...form.getInputProps('into_id')}
            onChange={(id, one) => {
              form.setFieldValue('into_id', id);
              setKnown(one);
            }}
          />
          <Text c="dimmed">{t('unidentified.moves')}</Text>
        </Stack>
      ) : (
        <>
          <PatientFields form={form as never} atAdmission autoFocus />
          <PossibleDuplicates
            values={form.values}
            looking={!pending && !isSuccess}
            action={(one) => (
              <Button variant="default" onClick={() => choose(one)}>
                {t('unidentified.isThis')}
              </Button>
            )}
          />
        </>
      )}
    </FormCard>
  );
}
