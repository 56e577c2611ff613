import { ActionIcon } from '@mantine/core';
import {
  IconClipboardList,
  IconFileText,
  IconListDetails,
  IconPencil,
  IconPrinter,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { type SheetView, useListSheetsQuery } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { RowLink } from '@/shared/lists/RowLink';
import tableClasses from '@/shared/lists/table.module.css';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { NearestPeople } from '@/topics/people/NearestPeople';
import { usePrintForms } from '@/topics/printing/usePrintForms';
import { OfflineCopyNotice } from './OfflineCopyNotice';
import { useSheetNote } from './OpenSheetSelect';
import { SheetTabs } from './SheetTabs';
import { useParentFilters } from './useParentFilters';

/** List the open consumption sheets. */
export default function SheetsPage() {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const mayEdit = useCan('sheets.edit');
  const mayOpen = useCan('sheets.open');
  const sheetNote = useSheetNote();
  const list = useListState();
  const printing = usePrintForms();

  const columns: Column<SheetView>[] = [
    {
      label: 'sheets.patient',
      sort: 'patient',
      cell: (sheet) => <RowLink to={detailsOf(sheet)}>{fullName(sheet.patient)}</RowLink>,
    },
    { label: 'sheets.room', sort: 'room', cell: (sheet) => sheet.room.name },
    { label: 'sheets.doctor', sort: 'doctor', cell: (sheet) => sheet.doctor },
    {
      label: 'sheets.admissionDate',
      sort: 'admission_date',
      cell: (sheet) => format.day(sheet.admission_date),
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

  if (mayEdit) {
    columns.push({
      label: 'list.actions',
      numeric: true,
      cell: (sheet) => (
        <ActionIcon
          component={Link}
          to={`/consumption-sheets/${sheet.id}/edit`}
          className={tableClasses.action}
          aria-label={t('sheets.editOf', { patient: fullName(sheet.patient) })}
        >
          <IconPencil size={20} aria-hidden />
        </ActionIcon>
      ),
    });
  }

  const { page, q } = list;
  const sort = sortAmong(columns, list.sort);
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
        defaultSort="-admission_date"
        tabs={
          <>
            <SheetTabs closed={false} />
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
