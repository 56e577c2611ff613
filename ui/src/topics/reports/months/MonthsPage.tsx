import { Button, Group, Paper, Stack, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { type AreaView, type MonthSummaryView, useListMonthsQuery, useReadAreaQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { type Column, DataTable } from '@/shared/lists/DataTable';
import { ListToolbar } from '@/shared/lists/ListToolbar';
import { searchFilter } from '@/shared/lists/listFilters';
import { RowLink } from '@/shared/lists/RowLink';
import tableClasses from '@/shared/lists/table.module.css';
import { useListState } from '@/shared/lists/useListState';
import { useAreas } from '@/topics/catalogue/useAreas';
import { ReportTabs } from '../ReportTabs';
import { useCloseMonth } from './useCloseMonth';
import { useMonthName } from './useMonthName';

/** List the latest months of an area or of the hospital, closed or not. */
export default function MonthsPage() {
  const t = useText();
  const format = useFormat();
  const nameOf = useMonthName();
  const mayClose = useCan('months.close');
  const list = useListState();
  const areaId = list.filterId('area');
  const before = list.filter('before');
  const area = useReadAreaQuery({ areaId: areaId ?? 0 }, { skip: areaId === undefined });
  const months = useListMonthsQuery({ areaId, before }, { refetchOnMountOrArgChange: true });
  throwOnError(months);
  const { close, pending } = useCloseMonth();
  const areaName = areaId === undefined ? null : (area.currentData?.name ?? '…');
  const items = months.data?.items;

  const stateOf = ({ id, turn, at, may_close }: MonthSummaryView) => {
    if (id === null) return t(may_close ? 'months.open' : 'months.running');
    return t('months.version', { turn, moment: at ? format.moment(at) : '' });
  };
  const columns: Column<MonthSummaryView>[] = [
    {
      label: 'reports.by.month',
      cell: ({ id, month }) =>
        id === null ? nameOf(month) : <RowLink to={`/reports/months/${id}`}>{nameOf(month)}</RowLink>,
    },
    { label: 'months.state', cell: stateOf },
    { label: 'months.closedBy', minor: true, cell: ({ by }) => by },
    {
      label: 'sheets.total',
      numeric: true,
      cell: ({ total }) => total !== null && format.money(total),
    },
    {
      label: 'months.since',
      numeric: true,
      cell: ({ id, changes, changes_total }) =>
        id !== null && t('months.sinceSums', { count: changes, total: format.signedMoney(changes_total) }),
    },
    {
      label: 'list.actions',
      figure: true,
      cell: ({ id, month, turn, may_close }) =>
        id === null &&
        may_close &&
        mayClose && (
          <Button
            size="sm"
            variant="subtle"
            aria-label={t('months.closeOf', { month: nameOf(month) })}
            loading={pending}
            onClick={() => close({ month, area_id: areaId, turn: turn + 1 }, areaName)}
          >
            <span className={tableClasses.whole}>{t('months.close')}</span>
          </Button>
        ),
    },
  ];

  return (
    <Stack gap="xs">
      <ReportTabs at="/reports/months" />
      <ListToolbar
        list={list}
        filters={[
          searchFilter<AreaView>({
            list,
            name: 'area',
            label: t('reports.by.area'),
            all: t('months.hospital'),
            useFound: useAreas,
            nameOf: ({ name }) => name,
            valueName: area.currentData?.name,
          }),
        ]}
      />
      <Title order={2} size="h3">
        {areaName ?? t('months.hospital')}
      </Title>
      <Paper withBorder>
        <DataTable
          caption={t('months.title')}
          columns={columns}
          rows={items}
          rowKey={({ month }) => month}
          list={list}
          stale={months.isFetching}
        />
      </Paper>
      <Group gap="sm">
        {before && (
          <Button component={Link} to={list.hrefWith({ before: '' })} variant="default">
            {t('months.latest')}
          </Button>
        )}
        {items && items.length > 0 && (
          <Button component={Link} to={list.hrefWith({ before: items.at(-1)?.month })} variant="default">
            {t('months.earlier')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
