import { Button, Paper, Stack } from '@mantine/core';
import IconClipboardCheck from '@tabler/icons-react/dist/esm/icons/IconClipboardCheck.mjs';
import { Link } from 'react-router-dom';
import { type SheetView, useListSheetsQuery } from '@/api/generated';
import { failOn } from '@/api/problem';
import { type Column, DataTable, sortAmong } from '@/components/DataTable';
import { EmptyState } from '@/components/EmptyState';
import { fullName } from '@/components/fullName';
import { ListToolbar } from '@/components/ListToolbar';
import { Pager } from '@/components/Pager';
import { SearchField } from '@/components/SearchField';
import tableClasses from '@/components/table.module.css';
import { useListState } from '@/components/useListState';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { closedPageOf } from './addresses';
import classes from './ClosedSheetsPage.module.css';
import { ConsumptionDays } from './ConsumptionDays';
import { DayRange } from './DayRange';

/** The closed consumption sheets. */
export function ClosedSheetsPage() {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const list = useListState();

  const columns: Column<SheetView>[] = [
    {
      label: 'sheets.patient',
      sort: 'patient',
      cell: (sheet) => (
        <Link className={tableClasses.rowLink} to={closedPageOf(sheet)}>
          {fullName(sheet.patient)}
        </Link>
      ),
    },
    { label: 'sheets.room', sort: 'room', cell: (sheet) => sheet.room.name },
    { label: 'sheets.doctor', sort: 'doctor', cell: (sheet) => sheet.doctor },
    {
      label: 'sheets.admission',
      sort: 'admission_date',
      cell: (sheet) => <span className={classes.day}>{format.day(sheet.admission_date)}</span>,
    },
    {
      label: 'sheets.closedAt',
      sort: 'deleted_at',
      cell: ({ deleted_at }) =>
        deleted_at && (
          <span>
            <span className={classes.day}>{format.day(format.dayOf(deleted_at))}</span>{' '}
            {format.time(deleted_at)}
          </span>
        ),
    },
    { label: 'sheets.consumptionDates', cell: (sheet) => <ConsumptionDays sheet={sheet} /> },
  ];
  if (seesPrices) {
    columns.push({
      label: 'sheets.total',
      sort: 'total',
      numeric: true,
      cell: (sheet) => sheet.total !== undefined && format.money(sheet.total),
    });
  }

  const { page, q, from, to, cursor } = list;
  const sheets = useListSheetsQuery({
    closed: true,
    page,
    sort: sortAmong(columns, list.sort),
    q,
    from,
    to,
    cursor,
  });
  failOn(sheets);

  const narrowed = Boolean(q || from || to);
  return (
    <Stack gap="md">
      <ListToolbar search={<SearchField list={list} label={t('sheets.search')} />}>
        <DayRange list={list} />
        <Button component={Link} to="/consumption-sheets" variant="default">
          {t('sheets.toOpen')}
        </Button>
      </ListToolbar>
      <Paper withBorder>
        {sheets.data?.meta.total === 0 ? (
          <EmptyState
            icon={<IconClipboardCheck size={40} stroke={1.25} aria-hidden />}
            title={t(narrowed ? 'list.nothingFound' : 'sheets.noneClosed')}
            hint={t(narrowed ? 'sheets.nothingClosedHint' : 'sheets.noneClosedHint')}
          />
        ) : (
          <DataTable
            caption={t('sheets.closed.title')}
            columns={columns}
            rows={sheets.data?.items}
            rowKey={(sheet) => sheet.id}
            list={list}
            defaultSort="-deleted_at"
            stale={sheets.isFetching}
          />
        )}
      </Paper>
      {sheets.data && <Pager list={list} meta={sheets.data.meta} shown={sheets.data.items.length} />}
    </Stack>
  );
}
