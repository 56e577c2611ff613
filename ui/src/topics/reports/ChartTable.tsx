import type { ConsumptionPage } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { ClampedText } from '@/shared/ui/ClampedText';
import classes from './ChartTable.module.css';
import { restOf } from './restOf';
import { useNameOfRow } from './useNameOfRow';

/**
 * The number of rows above which the table scrolls.
 *
 * Its head and its sums stay in view.
 */
const MAX_ROWS = 12;

interface Props {
  title: string;
  report: ConsumptionPage;
  /** The heading of the row names. */
  label: MessageId;
}

/** Show the figures of a chart with their sums. */
export function ChartTable({ title, report, label }: Props) {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const nameOf = useNameOfRow(report.by);
  // Metres and pieces cannot be added up, so quantities are shown only for products.
  const quantities = report.by === 'product';
  const money = (amount: number | undefined) => amount !== undefined && format.money(amount);
  const rest = restOf(report);
  const table = (
    <table className={classes.table}>
      <caption className={classes.caption}>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t(label)}</th>
          <th scope="col" data-minor={quantities}>
            {t('reports.lines')}
          </th>
          {quantities && <th scope="col">{t('details.quantity')}</th>}
          {seesPrices && <th scope="col">{t('sheets.total')}</th>}
        </tr>
      </thead>
      <tbody>
        {report.items.map((row) => (
          <tr key={row.key}>
            <th scope="row">
              <ClampedText>{nameOf(row)}</ClampedText>
            </th>
            <td data-minor={quantities}>{format.quantity(row.details)}</td>
            {quantities && <td>{format.quantity(row.quantity)}</td>}
            {seesPrices && <td>{money(row.total)}</td>}
          </tr>
        ))}
        {rest.rows > 0 && (
          <tr>
            <th scope="row">{t('reports.others', { others: rest.rows })}</th>
            <td data-minor={quantities}>{format.quantity(rest.details)}</td>
            {quantities && <td />}
            {seesPrices && <td>{money(rest.total)}</td>}
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('reports.sum', { rows: report.meta.total })}</th>
          <td data-minor={quantities}>{format.quantity(report.sums.details)}</td>
          {quantities && <td />}
          {seesPrices && <td>{money(report.sums.total)}</td>}
        </tr>
      </tfoot>
    </table>
  );
  if (report.items.length <= MAX_ROWS) return table;
  return (
    // biome-ignore-start lint/a11y: a scrolling region needs keyboard focus, and is not a group of fields.
    <div role="group" aria-label={title} tabIndex={0} className={classes.scroll}>
      {table}
    </div>
    // biome-ignore-end lint/a11y: as above.
  );
}
