import { BarChart } from '@mantine/charts';
import '@mantine/core/styles/ColorSwatch.css';
import '@mantine/charts/styles.css';
import classes from './charts.module.css';

interface Point {
  label: string;
  value: number;
}

interface Props {
  points: Point[];
  /** A text alternative for screen readers. */
  summary: string;
  tell: (value: number) => string;
  tellRoughly: (value: number) => string;
  /** The name of the measured value. */
  name: string;
}

/**
 * Chart one bar per day or month.
 *
 * It is loaded lazily, because its library is larger than the page.
 */
export default function TimeChart({ points, summary, tell, tellRoughly, name }: Props) {
  return (
    <div role="img" aria-label={summary} className={classes.chart}>
      <BarChart
        h="100%"
        data={points}
        dataKey="label"
        series={[{ name: 'value', label: name, color: 'var(--bar)' }]}
        valueFormatter={tell}
        accessibilityLayer={false}
        withXAxis
        yAxisProps={{ tickFormatter: tellRoughly, width: 64 }}
        xAxisProps={{ minTickGap: 24 }}
        barProps={{ radius: [3, 3, 0, 0] }}
        gridAxis="x"
        tickLine="none"
      />
    </div>
  );
}
