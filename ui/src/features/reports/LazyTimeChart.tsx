import { Skeleton, Text } from '@mantine/core';
import { type ComponentProps, lazy, Suspense } from 'react';
import { useText } from '@/i18n/useText';
import classes from './charts.module.css';
import type TimeChart from './TimeChart';

const Chart = lazy(() =>
  // Where the network is gone, the figures are there all the same, as a table.
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

/** The chart, in the place that is kept for it while it loads. */
export function LazyTimeChart(props: ComponentProps<typeof TimeChart>) {
  return (
    <Suspense fallback={<Skeleton className={classes.chart} />}>
      <Chart {...props} />
    </Suspense>
  );
}
