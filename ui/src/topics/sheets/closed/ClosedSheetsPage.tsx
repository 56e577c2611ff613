import { IconClipboardCheck, IconFileCheck } from '@tabler/icons-react';
import { type SheetView, useListSheetsQuery } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { daysFilter } from '@/shared/lists/listFilters';
import { RowLink } from '@/shared/lists/RowLink';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { closedPageOf } from '@/shared/records/sheetAddresses';
import { StatusBadge } from '@/shared/ui/StatusBadge';
import { SheetTabs } from '../SheetTabs';
import { useParentFilters } from '../useParentFilters';
import classes from './ClosedSheetsPage.module.css';
import { ConsumptionDays } from './ConsumptionDays';

/** List the closed consumption sheets. */
export default function ClosedSheetsPage() {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const list = useListState();

  const columns: Column<SheetView>[] = [
    {
      label: 'sheets.patient',
      sort: 'patient',
      cell: (sheet) => (
        <>
          <RowLink to={closedPageOf(sheet)}>{fullName(sheet.patient)}</RowLink>
          {Boolean(sheet.late_entries) && (
            <StatusBadge is="late">{t('late.inList', { count: sheet.late_entries ?? 0 })}</StatusBadge>
          )}
        </>
      ),
    },
    { label: 'sheets.room', sort: 'room', cell: (sheet) => sheet.room.name },
    { label: 'sheets.doctor', sort: 'doctor', minor: true, cell: (sheet) => sheet.doctor },
    {
      label: 'sheets.admission',
      sort: 'admission_date',
      minor: true,
      cell: (sheet) => <span className={classes.day}>{format.day(sheet.admission_date)}</span>,
    },
    {
      label: 'sheets.closedAt',
      sort: 'deleted_at',
      cell: ({ deleted_at }) =>
        deleted_at && (
          <span>
            <span className={classes.day}>{format.day(format.dayOf(deleted_at))}</span>{' '}
            <span>{format.time(deleted_at)}</span>
          </span>
        ),
    },
    {
      label: 'sheets.consumptionDates',
      cell: (sheet) => <ConsumptionDays sheet={sheet} />,
    },
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
  const sort = sortAmong(columns, list.sort);
  const patientId = list.filterId('patient');
  const roomId = list.filterId('room');
  const areaId = list.filterId('area');
  const of = useParentFilters(list);
  const sheets = useListSheetsQuery({
    closed: true,
    patientId,
    roomId,
    areaId,
    page,
    sort,
    q,
    from,
    to,
    cursor,
  });
  return (
    <ListPage
      title="sheets.closed.title"
      list={list}
      answer={sheets}
      columns={columns}
      defaultSort="-deleted_at"
      tabs={<SheetTabs closed />}
      search="sheets.search"
      filters={[
        daysFilter(t, {
          list,
          format,
          label: 'sheets.closedDays',
          from: 'sheets.closedFrom',
          to: 'sheets.closedTo',
        }),
        ...of,
      ]}
      exportFrom={{
        path: '/api/consumption-sheets',
        query: { closed: true, patient_id: patientId, room_id: roomId, area_id: areaId, sort, q, from, to },
      }}
      more={[{ label: t('paper.title'), icon: IconFileCheck, to: '/consumption-sheets/closed/paper' }]}
      empty={{ icon: IconClipboardCheck, title: 'sheets.noneClosed', hint: 'sheets.noneClosedHint' }}
    />
  );
}
