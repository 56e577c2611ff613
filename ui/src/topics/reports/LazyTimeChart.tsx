import { Skeleton, Text } from '@mantine/core';
import { type ComponentProps, lazy, Suspense } from 'react';
import { useText } from '@/i18n/useText';
import classes from './charts.module.css';
import type TimeChart from './TimeChart';

const Chart = lazy(() =>
  // Without network the chart cannot be loaded, but the figures are available as a table.
  import('./TimeChart').catch(() => ({ default: Unavailable })),
);

function Unavailable() {
  const t = useText();
  return (
    <Text c="dimmed" className={classes.chart}>
      {t('reports.chartUnavailable')}
    </Text>
  );
}

/** Load the chart, and reserve its space meanwhile. */
export function LazyTimeChart(props: ComponentProps<typeof TimeChart>) {
  return (
    <Suspense fallback={<Skeleton className={classes.chart} />}>
      <Chart {...props} />
    </Suspense>
  );
}
