import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconEye } from '@tabler/icons-react';
import { Link, useParams } from 'react-router-dom';
import { useListReadersQuery, useReadPatientQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { ListToolbar } from '@/shared/lists/ListToolbar';
import { daysFilter, type Filter } from '@/shared/lists/listFilters';
import { Pager } from '@/shared/lists/Pager';
import { useExport } from '@/shared/lists/useExport';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { EmptyState } from '@/shared/ui/EmptyState';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePageTitle } from '@/shared/ui/pageName';
import { AuditList } from './AuditList';

const PER_PAGE = 50;

/**
 * List who looked at a patient or the patient's sheets.
 *
 * The list remains after the patient was deleted.
 */
export default function ReadersPage() {
  const t = useText();
  const format = useFormat();
  const patientId = Number(useParams().id);
  const list = useListState();
  const { page, cursor, from, to } = list;
  const userId = list.filterId('user');
  const filters = { user_id: userId, from, to };
  const readers = useListReadersQuery(
    { patientId, page, cursor, userId, from, to, limit: PER_PAGE },
    { refetchOnMountOrArgChange: true },
  );
  throwOnError(readers);
  const { data } = readers;
  // Fetching the patient is a logged access, so it happens only if no entry contains the name.
  const known = data?.items
    .map((one) => (one.entity === 'patient' ? one.subject : one.patient))
    .find(Boolean);
  const patient = useReadPatientQuery({ patientId }, { skip: !data || Boolean(known) }).currentData;
  usePageTitle(known ?? (patient && fullName(patient)), true);
  const exported = useExport({
    path: `/api/patients/${patientId}/readers`,
    query: filters,
    name: t('readers.title'),
    disabled: data?.items.length === 0,
  });
  if (!data) return <PageLoader />;
  const nothing = data.items.length === 0;
  const reader = data.items.find(({ user }) => user?.id === userId);
  const toolbar: Filter[] = [
    daysFilter(t, { list, format, label: 'details.days', from: 'audit.from', to: 'audit.to' }),
    ...(userId === undefined
      ? []
      : [
          {
            name: 'user',
            label: t('audit.who'),
            value: reader?.person ?? reader?.user?.email ?? `#${userId}`,
            off: { user: '' as const },
          },
        ]),
  ];
  return (
    <Stack gap="md">
      <Group gap="md">
        <Button
          component={Link}
          to={`/patients/${patientId}`}
          variant="default"
          leftSection={<IconArrowLeft size={20} aria-hidden />}
        >
          {t('readers.back')}
        </Button>
        <Title order={2} fz="xl">
          {known ?? (patient ? fullName(patient) : `#${patientId}`)}
        </Title>
      </Group>
      <Text c="dimmed" maw="70ch">
        {t('readers.hint')}
      </Text>
      <ListToolbar
        list={list}
        filters={toolbar}
        more={
          <OverflowMenuButton label={t('details.moreActions')} items={exported.items} busy={exported.busy} />
        }
      />
      {nothing && (
        <Paper withBorder>
          <EmptyState
            icon={<IconEye size={40} stroke={1.25} aria-hidden />}
            title={t('list.nothingFound')}
            hint={t('readers.nothing')}
          />
        </Paper>
      )}
      <AuditList entries={data.items} personHref={(id) => list.hrefWith({ user: String(id) })} ofOnePatient />
      <Pager list={list} meta={data.meta} shown={data.items.length} />
    </Stack>
  );
}
