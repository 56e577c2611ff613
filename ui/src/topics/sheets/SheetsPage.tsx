import {
  IconClipboardList,
  IconFileText,
  IconListDetails,
  IconPencil,
  IconPrinter,
  IconUserHeart,
} from '@tabler/icons-react';
import { type SheetView, useListSheetsQuery } from '@/api/generated';
import { serverNow } from '@/api/serverClock';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { RowLink } from '@/shared/lists/RowLink';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { RoomLabel } from '@/shared/records/RoomLabel';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { NearestPeople } from '@/topics/people/NearestPeople';
import { useIdentity } from '@/topics/people/useIdentity';
import { usePrintForms } from '@/topics/printing/usePrintForms';
import { OfflineCopyNotice } from './OfflineCopyNotice';
import { useSheetNote } from './OpenSheetSelect';
import { SheetTabs } from './SheetTabs';
import { LastLine, TodayLines } from './TodayLines';
import { useParentFilters } from './useParentFilters';

/** List the open consumption sheets. */
export default function SheetsPage() {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const mayEdit = useCan('sheets.edit');
  const mayOpen = useCan('sheets.open');
  const sheetNote = useSheetNote();
  const identity = useIdentity();
  const list = useListState();
  const printing = usePrintForms();

  const today = format.dayOf(serverNow());
  const daysSince = (day: string) => (Date.parse(today) - Date.parse(day)) / 86_400_000;

  const columns: Column<SheetView>[] = [
    { label: 'sheets.room', sort: 'room', lead: true, cell: ({ room }) => <RoomLabel name={room.name} /> },
    {
      label: 'sheets.patient',
      sort: 'patient',
      cell: (sheet) => <RowLink to={detailsOf(sheet)}>{fullName(sheet.patient)}</RowLink>,
      note: ({ patient }) => identity(patient),
    },
    {
      label: 'sheets.doctor',
      sort: 'doctor',
      minor: true,
      wide: true,
      cell: ({ doctor }) => doctor,
      note: ({ diagnosis }) => diagnosis,
    },
    {
      label: 'sheets.admission',
      sort: 'admission_date',
      cell: ({ admission_date: day }) => format.shortDay(day),
      note: ({ admission_date: day }) => t('sheets.stayDays', { count: daysSince(day) }),
    },
    {
      label: 'sheets.today',
      figure: true,
      cell: (sheet) => <TodayLines sheet={sheet} />,
      note: (sheet) => <LastLine sheet={sheet} />,
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

  const { page, q } = list;
  // Results of a search are sorted by relevance.
  const sort = sortAmong(columns, list.sort) ?? (q ? undefined : 'room');
  const roomId = list.filterId('room');
  const areaId = list.filterId('area');
  const of = useParentFilters(list).filter(({ name }) => name !== 'patient');
  const sheets = useListSheetsQuery({ page, sort, q, roomId, areaId });
  return (
    <>
      <ListPage
        title="sheets.title"
        list={list}
        answer={sheets}
        columns={columns}
        menu={({ id, patient }) => ({
          of: fullName(patient),
          items: [
            { label: t('patients.see'), icon: IconUserHeart, to: `/patients/${patient.id}` },
            ...(mayEdit
              ? [{ label: t('sheets.edit'), icon: IconPencil, to: `/consumption-sheets/${id}/edit` }]
              : []),
          ],
        })}
        defaultSort="room"
        tabs={
          <>
            <SheetTabs here="open" />
            <OfflineCopyNotice seen={sheets.data} />
          </>
        }
        search="sheets.search"
        filters={of}
        exportFrom={{ path: '/api/consumption-sheets', query: { sort, q, room_id: roomId, area_id: areaId } }}
        create={mayOpen ? { to: '/consumption-sheets/create', label: 'sheets.open' } : undefined}
        more={[
          { label: t('details.all'), icon: IconListDetails, to: '/consumption-sheet-details' },
          { label: t('forms.print'), icon: IconPrinter, run: () => printing.print({ areaId }) },
          { label: t('forms.title'), icon: IconFileText, to: '/consumption-sheets/forms' },
        ]}
        offer={
          <NearestPeople
            people={(sheets.data?.nearest ?? []).map((sheet) => ({
              id: sheet.id,
              to: detailsOf(sheet),
              name: fullName(sheet.patient),
              note: sheetNote(sheet),
            }))}
          />
        }
        empty={{ icon: IconClipboardList, title: 'sheets.none', hint: 'sheets.noneHint' }}
      />
      {printing.dialog}
    </>
  );
}
