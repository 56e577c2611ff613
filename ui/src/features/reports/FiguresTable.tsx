import type { ConsumptionPage } from '@/api/generated';
import tableClasses from '@/components/table.module.css';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import classes from './charts.module.css';
import { useNameOfRow } from './useNameOfRow';

interface Props {
  title: string;
  report: ConsumptionPage;
  /** What the rows are. */
  label: MessageId;
}

/** The figures behind a chart, with their sums. */
export function FiguresTable({ title, report, label }: Props) {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const nameOf = useNameOfRow(report.by);
  // Metres and pieces add up to nothing: quantities are told of products alone.
  const quantities = report.by === 'product';
  return (
    <table className={`${tableClasses.table} ${classes.table}`}>
      <caption className={classes.caption}>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t(label)}</th>
          <th scope="col" data-numeric>
            {t('reports.lines')}
          </th>
          {quantities && (
            <th scope="col" data-numeric>
              {t('details.quantity')}
            </th>
          )}
          {seesPrices && (
            <th scope="col" data-numeric>
              {t('sheets.total')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {report.items.map((row) => (
          <tr key={row.key}>
            <th scope="row">{nameOf(row)}</th>
            <td data-numeric>{format.quantity(row.details)}</td>
            {quantities && <td data-numeric>{format.quantity(row.quantity)}</td>}
            {seesPrices && <td data-numeric>{row.total !== undefined && format.money(row.total)}</td>}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('reports.sum', { rows: report.meta.total })}</th>
          <td data-numeric>{format.quantity(report.sums.details)}</td>
          {quantities && <td />}
          {seesPrices && (
            <td data-numeric>{report.sums.total !== undefined && format.money(report.sums.total)}</td>
          )}
        </tr>
      </tfoot>
    </table>
  );
}
