import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { MonthChangesView, MonthChangeView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { Column } from '@/shared/lists/DataTable';
import { RowLink } from '@/shared/lists/RowLink';
import tableClasses from '@/shared/lists/table.module.css';
import { changeKinds } from './changeKinds';
import { FoldedTable } from './FoldedTable';

interface Props {
  title: MessageId;
  changes: MonthChangesView;
}

/** Changes of lines in a later month than that of their use; each opens its line. */
export function ChangesTable({ title, changes: { items, total, count } }: Props) {
  const t = useText();
  const format = useFormat();
  const columns: Column<MonthChangeView & { key: number }>[] = [
    {
      label: 'details.product',
      cell: ({ kind, product, detail_id }) =>
        kind === 'deleted' ? (
          product
        ) : (
          <RowLink to={`/consumption-sheet-details/${detail_id}`}>{product}</RowLink>
        ),
      sum: t('reports.sum', { rows: count }),
    },
    { label: 'months.change', cell: ({ kind }) => t(changeKinds[kind].name) },
    {
      label: 'months.changedAt',
      cell: ({ at }) => <span className={tableClasses.whole}>{format.moment(at)}</span>,
    },
    { label: 'months.changedBy', minor: 'most', cell: ({ by }) => by },
    { label: 'months.usedOn', minor: true, cell: ({ day }) => format.day(day) },
    {
      label: 'months.sheet',
      apart: true,
      cell: ({ sheet_id }) => (
        <Anchor component={Link} to={`/consumption-sheets/${sheet_id}`} className={tableClasses.ownLink}>
          {t('months.sheetNumber', { number: sheet_id })}
        </Anchor>
      ),
    },
    {
      label: 'details.quantity',
      numeric: true,
      cell: ({ quantity }) => format.signedQuantity(quantity),
    },
    {
      label: 'sheets.total',
      numeric: true,
      figure: true,
      cell: ({ total: change }) => format.signedMoney(change),
      sum: format.signedMoney(total),
    },
  ];
  return (
    <Stack component="section" gap="xs" aria-labelledby={title}>
      <Title order={2} size="h3" id={title}>
        {t(title)}
      </Title>
      {count > items.length && <Text>{t('months.onlyFirst', { shown: items.length, count })}</Text>}
      <Paper withBorder>
        <FoldedTable
          caption={t(title)}
          columns={columns}
          // An edit to another product or area has two rows of the same line.
          rows={items.map((one, at) => ({ ...one, key: at }))}
          rowKey={({ key }) => key}
        />
      </Paper>
    </Stack>
  );
}
