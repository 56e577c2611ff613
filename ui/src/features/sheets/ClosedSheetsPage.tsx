import IconClipboardCheck from '@tabler/icons-react/dist/esm/icons/IconClipboardCheck.mjs';
import { type SheetView, useListSheetsQuery } from '@/api/generated';
import { type Column, sortAmong } from '@/components/DataTable';
import { DayRange } from '@/components/DayRange';
import { fullName } from '@/components/fullName';
import { ListPage } from '@/components/ListPage';
import { RowLink } from '@/components/RowLink';
import { closedPageOf } from '@/components/sheetAddresses';
import { useListState } from '@/components/useListState';
import { useFormat } from '@/i18n/useFormat';
import { useCan } from '@/session/useCan';
import classes from './ClosedSheetsPage.module.css';
import { ConsumptionDays } from './ConsumptionDays';
import { OfArea, OfPatient, OfRoom } from './OfThing';
import { SheetTabs } from './SheetTabs';

/** The closed consumption sheets. */
export default function ClosedSheetsPage() {
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const list = useListState();

  const columns: Column<SheetView>[] = [
    {
      label: 'sheets.patient',
      sort: 'patient',
      cell: (sheet) => <RowLink to={closedPageOf(sheet)}>{fullName(sheet.patient)}</RowLink>,
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
  const sort = sortAmong(columns, list.sort);
  const patientId = list.filterId('patient');
  const roomId = list.filterId('room');
  const areaId = list.filterId('area');
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
      filters={
        <>
          <DayRange list={list} from="sheets.closedFrom" to="sheets.closedTo" />
          {patientId && <OfPatient list={list} id={patientId} />}
          {roomId && <OfRoom list={list} id={roomId} />}
          {areaId && <OfArea list={list} id={areaId} />}
        </>
      }
      filtered={Boolean(from || to || patientId || roomId || areaId)}
      exportFrom={{
        path: '/api/consumption-sheets',
        query: { closed: true, patient_id: patientId, room_id: roomId, area_id: areaId, sort, q, from, to },
      }}
      empty={{ icon: IconClipboardCheck, title: 'sheets.noneClosed', hint: 'sheets.noneClosedHint' }}
    />
  );
}
