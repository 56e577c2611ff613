import { ActionIcon, Button, Group, Paper, Stack } from '@mantine/core';
import IconClipboardList from '@tabler/icons-react/dist/esm/icons/IconClipboardList.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
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
import { detailsOf } from './addresses';

/** The open consumption sheets. */
export function SheetsPage() {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const mayEdit = useCan('sheets.edit');
  const list = useListState();

  const columns: Column<SheetView>[] = [
    {
      label: 'sheets.patient',
      sort: 'patient',
      cell: (sheet) => (
        <Link className={tableClasses.rowLink} to={detailsOf(sheet)}>
          {fullName(sheet.patient)}
        </Link>
      ),
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

  const sheets = useListSheetsQuery({ page: list.page, sort: sortAmong(columns, list.sort), q: list.q });
  failOn(sheets);

  const none = sheets.data?.meta.total === 0 && !list.q;
  const openSheet = (
    <Button component={Link} to="/consumption-sheets/create" leftSection={<IconPlus size={20} aria-hidden />}>
      {t('sheets.open')}
    </Button>
  );

  return (
    <Stack gap="md">
      <ListToolbar search={<SearchField list={list} label={t('sheets.search')} />}>
        <Group gap="sm">
          <Button component={Link} to="/consumption-sheets/closed" variant="default">
            {t('sheets.closed.title')}
          </Button>
          {!none && openSheet}
        </Group>
      </ListToolbar>
      <Paper withBorder>
        {sheets.data?.meta.total === 0 ? (
          <EmptyState
            icon={<IconClipboardList size={40} stroke={1.25} aria-hidden />}
            title={t(list.q ? 'list.nothingFound' : 'sheets.none')}
            hint={t(list.q ? 'list.nothingFoundHint' : 'sheets.noneHint')}
          >
            {none && openSheet}
          </EmptyState>
        ) : (
          <DataTable
            caption={t('sheets.title')}
            columns={columns}
            rows={sheets.data?.items}
            rowKey={(sheet) => sheet.id}
            list={list}
            defaultSort="-admission_date"
            stale={sheets.isFetching}
          />
        )}
      </Paper>
      {sheets.data && <Pager list={list} meta={sheets.data.meta} />}
    </Stack>
  );
}
