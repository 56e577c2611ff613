import { Anchor, Button, Paper, Stack, Text, Title } from '@mantine/core';
import { IconClipboardOff } from '@tabler/icons-react';
import { Link, useParams } from 'react-router-dom';
import {
  type ExportedDetailView,
  type RecallView,
  useListRecalledDetailsQuery,
  useListSetAsideQuery,
  useReadRecallQuery,
  useUpdateRecallMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { daysFilter } from '@/shared/lists/listFilters';
import { RowLink } from '@/shared/lists/RowLink';
import tableClasses from '@/shared/lists/table.module.css';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { RoomLabel } from '@/shared/records/RoomLabel';
import { timeOfUse } from '@/shared/records/timeOfUse';
import { useSheetName } from '@/shared/records/useSheetName';
import { ClampedText } from '@/shared/ui/ClampedText';
import { DescriptionItem } from '@/shared/ui/DescriptionList';
import { PageLoader } from '@/shared/ui/PageLoader';
import { RecordCard } from '@/shared/ui/RecordCard';
import { StatusBadge } from '@/shared/ui/StatusBadge';
import { useReturnState } from '@/shared/ui/useReturnPath';
import { recallName } from './recallName';

/** Show one recall, and where its product was used. */
export default function RecallPage() {
  const recallId = Number(useParams().id);
  const t = useText();
  const format = useFormat();
  const read = useReadRecallQuery({ recallId });
  throwOnError(read);
  const recall = read.currentData;
  if (!recall) return <PageLoader />;
  const { product, reason, opened_at, closed_at } = recall;
  return (
    <Stack gap="md">
      <RecordCard
        name={recallName(t, recall)}
        edit={`/recalls/${recallId}/edit`}
        actions={<RecallStateButton key={recallId} recall={recall} />}
      >
        <DescriptionItem name={t('details.product')}>
          <Anchor component={Link} to={`/products/${product.id}`}>
            {nameAndCode(product)}
          </Anchor>
        </DescriptionItem>
        <DescriptionItem name={t('recalls.state')}>
          <StatusBadge is={closed_at ? 'recall.ended' : 'recall.inForce'}>
            {t(closed_at ? 'recalls.hasEnded' : 'recalls.isInForce')}
          </StatusBadge>
        </DescriptionItem>
        <DescriptionItem name={t('recalls.openedAt')}>{format.moment(opened_at)}</DescriptionItem>
        <DescriptionItem name={t('recalls.closedAt')}>
          {closed_at && format.moment(closed_at)}
        </DescriptionItem>
        <DescriptionItem name={t('recalls.reason')} wide>
          {reason}
        </DescriptionItem>
      </RecordCard>
      <SetAsideUnits recallId={recallId} />
      <UsedLines recall={recall} />
    </Stack>
  );
}

/** Close a recall after confirmation, or put a closed one in force again. */
function RecallStateButton({ recall }: { recall: RecallView }) {
  const t = useText();
  const confirm = useConfirm();
  const [updateRecall] = useUpdateRecallMutation();
  const { submit, pending } = useSubmit();
  const { id, product_id, lot, reason, closed } = recall;

  async function change() {
    const sure =
      closed ||
      (await confirm({
        question: 'recalls.end.question',
        action: 'recalls.end',
        children: <Text>{t('recalls.end.hint')}</Text>,
      }));
    if (!sure) return;
    const recallDraft = { product_id, lot: lot ?? undefined, reason, closed: !closed };
    await submit(() => updateRecall({ recallId: id, recallDraft }), {
      success: closed ? 'recalls.reopened' : 'recalls.wasEnded',
    });
  }

  return (
    <Button variant="default" loading={pending} onClick={change}>
      {t(closed ? 'recalls.reopen' : 'recalls.end')}
    </Button>
  );
}

/** Show the units that were set aside: how many, by whom and when. */
function SetAsideUnits({ recallId }: { recallId: number }) {
  const t = useText();
  const format = useFormat();
  const { currentData } = useListSetAsideQuery({ recallId }, { refetchOnMountOrArgChange: true });
  if (!currentData || currentData.items.length === 0) return null;
  const { items, quantity } = currentData;
  return (
    <Paper withBorder component="section" p="md" aria-labelledby="set-aside">
      <Title order={2} size="h3" id="set-aside" mb="xs">
        {t('recalls.setAsideCount', { quantity: format.quantity(quantity) })}
      </Title>
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {items.map((one) => (
          <li key={one.id}>
            <Text component="span" fw={600}>
              {format.quantity(one.quantity)}
            </Text>{' '}
            <Text component="span">
              {[
                format.moment(one.at),
                one.by,
                one.room,
                one.area,
                one.lot && t('recalls.ofLot', { lot: one.lot }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </li>
        ))}
      </Stack>
    </Paper>
  );
}

function UsedLines({ recall: { id, lot: recalled } }: { recall: RecallView }) {
  const t = useText();
  const format = useFormat();
  const here = useReturnState();
  const list = useListState();
  const sheetName = useSheetName();

  const columns: Column<ExportedDetailView>[] = [
    {
      label: 'sheets.patient',
      cell: (detail) => (
        <RowLink to={`/consumption-sheet-details/${detail.id}`} state={here}>
          {sheetName(detail)}
        </RowLink>
      ),
    },
    { label: 'sheets.room', cell: ({ room, area }) => (room ? <RoomLabel name={room.name} /> : area?.name) },
    {
      label: 'details.quantity',
      sort: 'quantity',
      numeric: true,
      cell: ({ quantity }) => format.quantity(quantity),
    },
    // In the recall of one lot, all rows have the same lot.
    recalled === null
      ? {
          label: 'details.lot',
          cell: ({ lot }) => lot,
          note: ({ serial }) => serial && t('scan.serial', { serial }),
        }
      : { label: 'details.serial', minor: true, cell: ({ serial }) => serial },
    { label: 'recalls.whyUsed', minor: true, prose: true, cell: ({ recall_reason }) => recall_reason },
    {
      label: 'details.date',
      sort: 'created_at',
      cell: (line) => <span className={tableClasses.whole}>{format.moment(timeOfUse(line))}</span>,
      note: ({ staff }) => staff && <ClampedText entire>{fullName(staff)}</ClampedText>,
    },
    {
      label: 'details.sheet',
      numeric: true,
      cell: ({ consumption_sheet_id: sheet, patient, area_id }) => (
        <Anchor
          component={Link}
          to={`/consumption-sheets/${patient ? sheet : `areas/${area_id}`}`}
          className={tableClasses.ownLink}
        >
          {patient ? t('details.sheetNumber', { id: sheet }) : t('details.areaUse')}
        </Anchor>
      ),
    },
  ];

  const { page, from, to, cursor } = list;
  const sort = sortAmong(columns, list.sort);
  const details = useListRecalledDetailsQuery({ recallId: id, page, sort, cursor, from, to });
  return (
    <ListPage
      title="recalls.used"
      headed
      list={list}
      answer={details}
      columns={columns}
      defaultSort="-created_at"
      filters={[
        daysFilter(t, { list, format, label: 'details.days', from: 'details.from', to: 'details.to' }),
      ]}
      exportFrom={{ path: `/api/recalls/${id}/consumption-details`, query: { sort, from, to } }}
      empty={{ icon: IconClipboardOff, title: 'recalls.usedNowhere', hint: 'recalls.usedNowhereHint' }}
    />
  );
}
