import { BarChart } from '@mantine/charts';
import classes from './charts.module.css';

export interface Point {
  label: string;
  value: number;
  /** The value in the period before, if the report is compared. */
  before?: number;
}

interface Props {
  points: Point[];
  /** A text alternative for screen readers. */
  summary: string;
  tell: (value: number) => string;
  tellRoughly: (value: number) => string;
  /** The name of the measured value. */
  name: string;
  /** The name of the values before. */
  nameBefore: string;
  /** Open what a bar adds up. The table has the same links for the keyboard. */
  onOpen?: (point: Point) => void;
}

/**
 * Chart one bar per day or month.
 *
 * It is loaded lazily, because its library is larger than the page.
 */
export default function TimeChart({ points, summary, tell, tellRoughly, name, nameBefore, onOpen }: Props) {
  const compared = points.some(({ before }) => before !== undefined);
  const series = [{ name: 'value', label: name, color: 'var(--bar)' }];
  if (compared) series.unshift({ name: 'before', label: nameBefore, color: 'var(--bar-before)' });
  const open = onOpen && ((bar: { payload?: Point }) => bar.payload && onOpen(bar.payload));
  return (
    <div role="img" aria-label={summary} className={classes.chart}>
      <BarChart
        // The library draws series in the order in which they appeared.
        key={String(compared)}
        h="100%"
        data={points}
        dataKey="label"
        series={series}
        valueFormatter={tell}
        accessibilityLayer={false}
        withXAxis
        yAxisProps={{ tickFormatter: tellRoughly, width: 64 }}
        xAxisProps={{ minTickGap: 24 }}
        // The bars before stand behind, and a little to the left.
        barChartProps={compared ? { barCategoryGap: '14%', barGap: '-50%' } : undefined}
        barProps={{ radius: [3, 3, 0, 0], onClick: open, cursor: open && 'pointer' }}
        gridAxis="x"
        tickLine="none"
      />
    </div>
  );
}
