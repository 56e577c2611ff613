import { Button, Group, Stack, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useParams } from 'react-router-dom';
import { useReadSheetHistoryQuery, useReadSheetQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { Pager } from '@/shared/lists/Pager';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { pageOf } from '@/shared/records/sheetAddresses';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePageTitle } from '@/shared/ui/pageName';
import { Closings } from '@/topics/sheets/closed/Closings';
import { AuditList } from './AuditList';

const PER_PAGE = 50;
const personHref = (userId: number) => `/audit?user=${userId}`;

/**
 * Show the history of a sheet in sentences, newest first.
 *
 * It remains after the sheet was deleted.
 */
export default function SheetHistoryPage() {
  const t = useText();
  const sheetId = Number(useParams().id);
  const mayReadAll = useCan('audit.read');
  const list = useListState();
  const { page, cursor } = list;
  const history = useReadSheetHistoryQuery(
    { sheetId, page, cursor, limit: PER_PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const sheet = useReadSheetQuery({ sheetId }).currentData;
  usePageTitle(sheet && fullName(sheet.patient), true);
  throwOnError(history);
  const { data } = history;
  if (!data) return <PageLoader />;
  return (
    <Stack gap="md">
      <Group gap="md">
        {sheet && (
          <Button
            component={Link}
            to={pageOf(sheet)}
            variant="default"
            leftSection={<IconArrowLeft size={20} aria-hidden />}
          >
            {t('sheets.history.back')}
          </Button>
        )}
        <Title order={2} fz="xl">
          {sheet ? fullName(sheet.patient) : (data.items[0]?.patient ?? t('sheets.history.ofDeleted'))}
        </Title>
      </Group>
      {sheet && <Closings sheet={sheet} />}
      <AuditList entries={data.items} personHref={mayReadAll ? personHref : undefined} ofOneSheet />
      <Pager list={list} meta={data.meta} shown={data.items.length} />
    </Stack>
  );
}
