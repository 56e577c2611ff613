import { Skeleton } from '@mantine/core';
import type { ConsumptionPage } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { ClampedText } from '@/shared/ui/ClampedText';
import classes from './charts.module.css';
import { restOf } from './restOf';
import { useMeasure } from './useMeasure';
import { useNameOfRow } from './useNameOfRow';

/**
 * Show the first rows of a report as bars with name and figure.
 *
 * The sum of the other rows is below.
 */
export function Ranking({ report, rows }: { report: ConsumptionPage | undefined; rows: number }) {
  const t = useText();
  const measure = useMeasure();
  const nameOf = useNameOfRow(report?.by ?? 'area');
  if (!report) return <Skeleton style={{ height: `${rows * 3}rem` }} />;
  if (report.items.length === 0) return <p className={classes.nothing}>{t('reports.nothing')}</p>;
  const most = Math.max(...report.items.map(measure.of));
  const rest = restOf(report);
  return (
    <ol className={classes.ranking}>
      {report.items.map((row) => (
        <li key={row.key}>
          <ClampedText>{nameOf(row)}</ClampedText>
          <span className={classes.value}>{measure.tell(measure.of(row))}</span>
          <span
            className={classes.bar}
            style={{ width: `${most > 0 ? (100 * measure.of(row)) / most : 0}%` }}
          />
        </li>
      ))}
      {rest.rows > 0 && (
        <li className={classes.others}>
          <span>{t('reports.others', { others: rest.rows })}</span>
          <span className={classes.value}>{measure.tell(measure.of(rest))}</span>
        </li>
      )}
    </ol>
  );
}
