import { Skeleton } from '@mantine/core';
import type { ConsumptionPage, ConsumptionRowView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './charts.module.css';
import { LazyTimeChart } from './LazyTimeChart';
import { everyDay, everyMonth } from './period';
import { useMeasure } from './useMeasure';

/**
 * The maximum number of points.
 *
 * It is one page of the API, and what fits on a screen.
 */
export const MAX_POINTS = 100;

interface Props {
  report: ConsumptionPage | undefined;
  /** Open what a bar adds up, by the key of its row. */
  onOpen?: (row: ConsumptionRowView) => void;
}

/** Chart a report by day or by month, including days without consumption. */
export function ConsumptionOverTime({ report, onOpen }: Props) {
  const t = useText();
  const format = useFormat();
  const measure = useMeasure();
  if (!report) return <Skeleton className={classes.place} />;
  const { from, to } = report.period;
  const byMonth = report.by === 'month';
  const keys = byMonth ? everyMonth(from, to) : everyDay(from, to);
  if (keys.length > MAX_POINTS) return <p className={classes.nothing}>{t('reports.tooLong')}</p>;
  const found = new Map(report.items.map((row) => [row.key, row]));
  const compared = report.sums.previous !== undefined;
  const points = keys.map((key) => {
    const row = found.get(key);
    const label = byMonth ? format.month(key) : format.shortDay(key);
    const value = row ? measure.of(row) : 0;
    return {
      key,
      label,
      value,
      before: compared ? (row?.previous ? measure.of(row.previous) : 0) : undefined,
    };
  });
  const highest = points.reduce((best, point) => (point.value > best.value ? point : best), {
    label: '',
    value: 0,
  });
  if (highest.value === 0 && !points.some(({ before }) => before))
    return <p className={classes.nothing}>{t('reports.nothing')}</p>;
  const summary = t(report.sums.value === undefined ? 'reports.highest' : 'reports.highestValue', {
    total: measure.tell(measure.of(report.sums)),
    label: highest.label,
    value: measure.tell(highest.value),
  });
  return (
    <figure className={`${classes.figure} ${classes.place}`}>
      <figcaption>{summary}</figcaption>
      <LazyTimeChart
        points={points}
        summary={summary}
        tell={measure.tell}
        tellRoughly={measure.tellRoughly}
        name={t('reports.consumption')}
        nameBefore={t('reports.before')}
        onOpen={
          onOpen &&
          (({ label }) => {
            const row = found.get(points.find((point) => point.label === label)?.key ?? '');
            if (row) onOpen(row);
          })
        }
      />
    </figure>
  );
}
