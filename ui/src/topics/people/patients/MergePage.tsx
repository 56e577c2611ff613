import {
  Alert,
  Button,
  Checkbox,
  List,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { IconArrowsExchange } from '@tabler/icons-react';
import { Navigate, useNavigate, useParams } from 'react-router-dom';
import {
  type MergePreviewView,
  type PatientView,
  useListPatientsQuery,
  useListSheetsQuery,
  useMergePatientsMutation,
  usePreviewMergeQuery,
  useReadPatientQuery,
} from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { throwOnError } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { FormCard } from '@/shared/forms/FormCard';
import { ReasonButtons } from '@/shared/forms/ReasonButtons';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { useSubmit } from '@/shared/forms/useSubmit';
import { fullName } from '@/shared/records/fullName';
import { DescriptionItem, DescriptionList } from '@/shared/ui/DescriptionList';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePageTitle } from '@/shared/ui/pageName';
import { DateOfBirth } from '../DateOfBirth';
import { usePatientWarning } from '../usePatientWarning';
import classes from './MergePage.module.css';

const particulars: Record<string, MessageId> = {
  name: 'person.name',
  first_surname: 'person.firstSurname',
  second_surname: 'person.secondSurname',
  date_of_birth: 'person.dateOfBirth',
  record_number: 'person.recordNumber',
};

const reasons: MessageId[] = ['merge.registeredTwice', 'merge.sameDocument', 'merge.identifiedLater'];

/**
 * Merge two records of one person.
 *
 * The user chooses them, sees the effect, and gives a reason.
 */
export default function MergePage() {
  const patientId = Number(useParams().id);
  const read = useReadPatientQuery({ patientId });
  throwOnError(read);
  const patient = read.currentData;
  if (!patient) return <PageLoader />;
  // Another user has merged it meanwhile; its page names the remaining record.
  if (patient.merged_into !== null) return <Navigate to={`/patients/${patientId}`} replace />;
  return <MergeForm key={patientId} patient={patient} />;
}

function MergeForm({ patient }: { patient: PatientView }) {
  const t = useText();
  const note = usePatientWarning();
  const navigate = useNavigate();
  const [mergePatients] = useMergePatientsMutation();
  const { submit, pending } = useSubmit();
  usePageTitle(fullName(patient), true);
  const required = t('form.required');
  const form = useForm({
    initialValues: {
      other: null as number | null,
      swapped: false,
      reason: '',
      /** The differing fields that were read. */
      read: [] as string[],
      number_end: '',
    },
    validate: { other: isNotEmpty(required), reason: isNotEmpty(required) },
  });
  const { other: otherId, swapped, read } = form.values;
  const chosen = useReadPatientQuery({ patientId: otherId ?? 0 }, { skip: otherId === null });
  const other = otherId === null ? undefined : chosen.currentData;
  const [merged, stays] = swapped ? [other, patient] : [patient, other];
  const asked = { patientId: merged?.id ?? 0, into: stays?.id ?? 0 };
  const preview = usePreviewMergeQuery(asked, {
    skip: !merged || !stays,
    refetchOnMountOrArgChange: true,
  }).currentData;

  const usePatients = (q: string | undefined, skip: boolean) => {
    const found = useListPatientsQuery({ q, limit: OPTIONS_LIMIT }, { skip });
    const { currentData } = found;
    return {
      ...found,
      currentData: currentData && {
        ...currentData,
        items: currentData.items.filter(({ id }) => id !== patient.id),
      },
    };
  };

  async function save({ reason, number_end }: typeof form.values) {
    if (!merged || !stays || !preview) return;
    if (preview.another_person && preview.differs.some(({ field }) => !read.includes(field)))
      return form.setFieldError('read', t('merge.readAll'));
    const mergeDraft = { into_id: stays.id, reason, number_end: number_end || undefined };
    const done = await submit(() => mergePatients({ patientId: merged.id, mergeDraft }), {
      form,
      success: 'merge.done',
    });
    if (done.ok) navigate(`/patients/${stays.id}`, { replace: true, state: { mergedNow: merged.id } });
  }

  /** Ask for the confirmation again: it was about other records. */
  function swap() {
    form.setValues({ swapped: !swapped, read: [], number_end: '' });
  }

  return (
    <FormCard
      form={form}
      save={save}
      pending={pending}
      back={`/patients/${patient.id}`}
      submitLabel={t('merge.do')}
    >
      <SearchSelect<PatientView>
        label={t('merge.other')}
        description={t('merge.otherHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        autoFocus
        useFound={usePatients}
        nameOf={fullName}
        noteOf={note}
        valueName={other && fullName(other)}
        {...form.getInputProps('other')}
        onChange={(id) => form.setValues({ other: id, read: [], number_end: '' })}
      />
      {merged && stays && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <Record patient={merged} title="merge.goes" />
            <Record patient={stays} title="merge.stays" />
          </SimpleGrid>
          <Button
            variant="default"
            style={{ alignSelf: 'flex-start' }}
            leftSection={<IconArrowsExchange size={20} aria-hidden />}
            onClick={swap}
          >
            {t('merge.swap')}
          </Button>
          {preview && <MergeSummary preview={preview} stays={stays} form={form} />}
          {preview && <NumberEnd preview={preview} records={[merged, stays]} form={form} />}
        </>
      )}
      <Stack gap="xs">
        <Textarea
          label={t('merge.reason')}
          required
          maxLength={500}
          rows={2}
          {...form.getInputProps('reason')}
        />
        <ReasonButtons reasons={reasons} onChoose={(reason) => form.setFieldValue('reason', reason)} />
      </Stack>
    </FormCard>
  );
}

/** Show one of the two records, with the data that distinguishes people. */
function Record({ patient, title }: { patient: PatientView; title: MessageId }) {
  const t = useText();
  const closed = useListSheetsQuery({ patientId: patient.id, closed: true, limit: 1 }).currentData;
  return (
    <Paper withBorder p="md" component="section" aria-label={t(title)}>
      <Text size="sm" c="dimmed">
        {t(title)}
      </Text>
      <Text fz="lg" fw={650} mb="xs">
        {fullName(patient)}
      </Text>
      <DescriptionList>
        <DescriptionItem name={t('person.dateOfBirth')} wide>
          {patient.date_of_birth ? <DateOfBirth on={patient.date_of_birth} /> : t('merge.unknown')}
        </DescriptionItem>
        <DescriptionItem name={t('person.recordNumber')} wide>
          {patient.record_number ?? t('merge.unknown')}
        </DescriptionItem>
        <DescriptionItem name={t('merge.sheets')} wide>
          {t('merge.sheetCounts', { open: patient.open_sheets, closed: closed?.meta.total ?? 0 })}
        </DescriptionItem>
      </DescriptionList>
    </Paper>
  );
}

type MergeFormType = UseFormReturnType<{
  other: number | null;
  swapped: boolean;
  reason: string;
  read: string[];
  number_end: string;
}>;

interface NumberEndProps {
  preview: MergePreviewView;
  records: PatientView[];
  form: MergeFormType;
}

/** Ask for the end of the record number, if the two may be different persons. */
function NumberEnd({ preview, records, form }: NumberEndProps) {
  const t = useText();
  const asked = records.find(({ id }) => id === preview.asks_number_of);
  if (!asked) return null;
  return (
    <TextInput
      label={t('merge.numberEnd', { name: fullName(asked) })}
      required
      autoComplete="off"
      maxLength={20}
      {...form.getInputProps('number_end')}
    />
  );
}

interface SummaryProps {
  preview: MergePreviewView;
  stays: PatientView;
  form: MergeFormType;
}

function MergeSummary({ preview, stays, form }: SummaryProps) {
  const t = useText();
  const format = useFormat();
  const { sheets, fills, differs, another_person: isAnother } = preview;
  const { read } = form.values;
  const label = (field: string) => t(particulars[field] ?? 'person.name');
  const value = (field: string, told: string) => (field === 'date_of_birth' ? format.day(told) : told);
  const bothLieHere = sheets.open > 0 && stays.open_sheets > 0;
  return (
    <Stack gap="md" role="status">
      {bothLieHere && <Alert color="red">{t('merge.bothOpen')}</Alert>}
      <List spacing={4}>
        <List.Item>
          {sheets.open + sheets.closed > 0
            ? t('merge.moves', { open: sheets.open, closed: sheets.closed, name: fullName(stays) })
            : t('merge.movesNothing')}
        </List.Item>
        {fills.length > 0 && (
          <List.Item>
            {t('merge.fills', { fields: fills.map(label).join(', ').toLocaleLowerCase() })}
          </List.Item>
        )}
        <List.Item>{t('merge.number')}</List.Item>
      </List>
      {differs.length > 0 && (
        <Alert color={isAnother ? 'red' : 'yellow'}>
          <Text fw={650} mb="xs">
            {t(isAnother ? 'merge.another' : 'merge.differs')}
          </Text>
          <table className={classes.both}>
            <thead>
              <tr>
                <td />
                <th scope="col">{t('merge.goes')}</th>
                <th scope="col">{t('merge.stays')}</th>
                {isAnother && <th scope="col">{t('merge.read')}</th>}
              </tr>
            </thead>
            <tbody>
              {differs.map(({ field, mine, theirs }) => (
                <tr key={field}>
                  <th scope="row">{label(field)}</th>
                  <td>{value(field, mine)}</td>
                  <td>
                    <b>{value(field, theirs)}</b>
                  </td>
                  {isAnother && (
                    <td>
                      <Checkbox
                        aria-label={t('merge.readOf', { field: label(field) })}
                        checked={read.includes(field)}
                        onChange={() => {
                          form.clearFieldError('read');
                          form.setFieldValue(
                            'read',
                            read.includes(field) ? read.filter((one) => one !== field) : [...read, field],
                          );
                        }}
                      />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
          {form.errors.read && (
            <Text c="var(--mantine-color-error)" mt="xs" role="alert">
              {form.errors.read}
            </Text>
          )}
        </Alert>
      )}
    </Stack>
  );
}
