import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { type FormWithProductsView, useReadFormQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePageTitle } from '@/shared/ui/pageName';
import { DiscardFormButton } from './DiscardFormButton';
import { RecordForm } from './RecordForm';

/** Record what was noted on a contingency form. */
export default function FormPage() {
  const formId = Number(useParams().id);
  const t = useText();
  // Another nurse may have recorded it meanwhile.
  const read = useReadFormQuery({ formId }, { refetchOnMountOrArgChange: true });
  throwOnError(read);
  usePageTitle(t('forms.one', { number: formId }));
  const form = read.currentData;
  if (!form) return <PageLoader />;
  const isPending = form.state === 'open' || form.state === 'standby';
  return (
    <Stack gap="md" maw="44rem">
      <FormHead form={form} />
      {isPending ? <RecordForm key={form.number} form={form} /> : <DecidedForm form={form} />}
    </Stack>
  );
}

function FormHead({ form }: { form: FormWithProductsView }) {
  const t = useText();
  const format = useFormat();
  const mayDiscard = useCan('late_entries.manage');
  const isPending = form.state === 'open' || form.state === 'standby';
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Text c="dimmed" size="sm">
          {[t('forms.printed', { at: format.moment(form.printed_at) }), form.area, form.printed_by]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      {mayDiscard && isPending && <DiscardFormButton form={form} />}
    </Group>
  );
}

function DecidedForm({ form }: { form: FormWithProductsView }) {
  const t = useText();
  const format = useFormat();
  const said = { by: form.decided_by ?? '', at: form.decided_at ? format.moment(form.decided_at) : '' };
  return (
    <Alert color="yellow">
      <Stack gap="xs">
        <Text fw={600}>{t(form.state === 'recorded' ? 'forms.isRecorded' : 'forms.isDiscarded', said)}</Text>
        {form.reason && <Text>{form.reason}</Text>}
        {form.late_entry_id !== null && <Text>{t('forms.isLate')}</Text>}
        {form.recorded_sheet_id !== null && (
          <Anchor component={Link} to={detailsOf({ id: form.recorded_sheet_id })}>
            {t('forms.toSheet')}
          </Anchor>
        )}
      </Stack>
    </Alert>
  );
}
