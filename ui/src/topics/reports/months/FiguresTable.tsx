import { Paper } from '@mantine/core';
import type { FiguresView, MonthView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { Column } from '@/shared/lists/DataTable';
import { FoldedTable } from './FoldedTable';

/** What the frozen figures are added up by. */
export const groupings = ['product', 'area', 'category', 'day'] as const;
type Grouping = (typeof groupings)[number];

/** Return the grouping of an address, or the first one. */
export const groupingOf = (asked: string | undefined): Grouping =>
  groupings.find((one) => one === asked) ?? 'product';

interface Row extends FiguresView {
  key: string;
  name: string;
  note: string;
}

/** The frozen figures of a month, with the names of its closing. */
export function FiguresTable({ month, by }: { month: MonthView; by: Grouping }) {
  const t = useText();
  const format = useFormat();
  const named = { product: month.products, area: month.areas, category: month.categories };
  const rows: Row[] =
    by === 'day'
      ? month.days.map((one) => ({ ...one, key: one.day, name: format.day(one.day), note: '' }))
      : named[by].map((one) => ({
          ...one,
          key: `${one.id} ${one.name} ${one.code} ${one.unit}`,
          name: one.name ?? t('reports.noArea'),
          note: [one.code, one.unit].filter(Boolean).join(' · '),
        }));
  const sum = (figure: keyof FiguresView) => rows.reduce((total, row) => total + row[figure], 0);
  const columns: Column<Row>[] = [
    {
      label: `reports.by.${by}`,
      cell: ({ name }) => name,
      ...(by === 'product' && { note: ({ note }: Row) => note }),
      sum: t('reports.sum', { rows: rows.length }),
    },
    {
      label: 'reports.lines',
      numeric: true,
      cell: ({ lines }) => format.quantity(lines),
      sum: format.quantity(sum('lines')),
    },
  ];
  // Only quantities of one product can be added up.
  if (by === 'product')
    columns.push(
      { label: 'details.quantity', numeric: true, cell: ({ quantity }) => format.quantity(quantity) },
      {
        label: 'reports.cameBack',
        numeric: true,
        minor: true,
        cell: ({ returned }) => returned !== 0 && format.quantity(returned),
      },
    );
  columns.push(
    {
      label: 'sheets.total',
      numeric: true,
      cell: ({ total }) => format.money(total),
      sum: format.money(sum('total')),
    },
    {
      label: 'reports.value',
      numeric: true,
      cell: ({ value }) => format.money(value),
      sum: format.money(sum('value')),
    },
  );
  return (
    <Paper withBorder>
      <FoldedTable caption={t('months.figures')} columns={columns} rows={rows} rowKey={({ key }) => key} />
    </Paper>
  );
}
