import { Skeleton } from '@mantine/core';
import type { ConsumptionPage } from '@/api/generated';
import { useText } from '@/i18n/useText';
import classes from './charts.module.css';
import { useMeasure } from './useMeasure';
import { useNameOfRow } from './useNameOfRow';

/** The first rows of a report as bars, each with its name and figure; what the others come to stands below. */
export function Ranking({ report, rows }: { report: ConsumptionPage | undefined; rows: number }) {
  const t = useText();
  const measure = useMeasure();
  const nameOf = useNameOfRow(report?.by ?? 'area');
  if (!report) return <Skeleton style={{ height: `${rows * 3}rem` }} />;
  if (report.items.length === 0) return <p className={classes.nothing}>{t('reports.nothing')}</p>;
  const most = Math.max(...report.items.map(measure.of));
  const others = report.meta.total - report.items.length;
  const cents = (value: number) => Math.round(value * 100);
  const rest =
    (cents(measure.of(report.sums)) - report.items.reduce((sum, row) => sum + cents(measure.of(row)), 0)) /
    100;
  return (
    <ol className={classes.ranking}>
      {report.items.map((row) => (
        <li key={row.key}>
          <span className={classes.name}>{nameOf(row)}</span>
          <span className={classes.value}>{measure.tell(measure.of(row))}</span>
          <span
            className={classes.bar}
            style={{ width: `${most > 0 ? (100 * measure.of(row)) / most : 0}%` }}
          />
        </li>
      ))}
      {others > 0 && (
        <li className={classes.others}>
          <span className={classes.name}>{t('reports.others', { others })}</span>
          <span className={classes.value}>{measure.tell(rest)}</span>
        </li>
      )}
    </ol>
  );
}
