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
  /** What the picture says, for whoever does not see it. */
  summary: string;
  tell: (value: number) => string;
  tellRoughly: (value: number) => string;
  /** What is measured. */
  name: string;
}

/** A bar for each day or month. It loads when it is needed: the library behind it is larger than the page. */
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
