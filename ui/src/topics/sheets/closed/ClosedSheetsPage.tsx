import { IconClipboardCheck, IconFileCheck, IconFiles, IconUserHeart } from '@tabler/icons-react';
import { type SheetView, useListSheetsQuery } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { daysFilter } from '@/shared/lists/listFilters';
import { RowLink } from '@/shared/lists/RowLink';
import tableClasses from '@/shared/lists/table.module.css';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { RoomLabel } from '@/shared/records/RoomLabel';
import { closedPageOf } from '@/shared/records/sheetAddresses';
import { StatusBadge } from '@/shared/ui/StatusBadge';
import { useIdentity } from '@/topics/people/useIdentity';
import { SheetTabs } from '../SheetTabs';
import { useParentFilters } from '../useParentFilters';
import { ConsumptionDays } from './ConsumptionDays';

/** List the closed consumption sheets. */
export default function ClosedSheetsPage() {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const list = useListState();
  const identity = useIdentity();

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
      note: ({ patient }) => identity(patient),
    },
    { label: 'sheets.room', sort: 'room', cell: ({ room }) => <RoomLabel name={room.name} /> },
    {
      label: 'sheets.doctor',
      sort: 'doctor',
      minor: true,
      cell: ({ doctor }) => doctor,
      note: ({ diagnosis }) => diagnosis,
    },
    {
      label: 'sheets.admission',
      sort: 'admission_date',
      // The days of use begin with it.
      minor: 'most',
      cell: (sheet) => <span className={tableClasses.whole}>{format.day(sheet.admission_date)}</span>,
    },
    {
      label: 'sheets.closedAt',
      sort: 'deleted_at',
      figure: true,
      cell: ({ deleted_at: at }) =>
        at && <span className={tableClasses.whole}>{format.day(format.dayOf(at))}</span>,
      note: ({ deleted_at: at }) => at && format.time(at),
    },
    {
      label: 'sheets.consumptionDates',
      cell: ({ consumptions: { length: count } }) => t('sheets.days', { count }),
      note: (sheet) => <ConsumptionDays sheet={sheet} />,
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
      menu={({ patient }) => ({
        of: fullName(patient),
        items: [
          { label: t('patients.see'), icon: IconUserHeart, to: `/patients/${patient.id}` },
          {
            label: t('patients.closedSheets'),
            icon: IconFiles,
            to: `/consumption-sheets/closed?patient=${patient.id}`,
          },
        ],
      })}
      defaultSort="-deleted_at"
      tabs={<SheetTabs here="closed" />}
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
