import { Anchor, Paper, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useReportConsumptionQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useListState } from '@/shared/lists/useListState';
import { ChartCard } from './ChartCard';
import { ConsumptionOverTime } from './ConsumptionOverTime';
import classes from './charts.module.css';
import { PeriodChoice } from './PeriodChoice';
import { daysAfter, usualPeriods } from './period';
import { Ranking } from './Ranking';
import { useMeasure } from './useMeasure';

const ROWS = 8;
const USUAL = 30;

/**
 * Show recent consumption over time, by area and by product.
 *
 * The number of days is in the URL.
 */
export default function ConsumptionSection() {
  const t = useText();
  const format = useFormat();
  const { sort } = useMeasure();
  const list = useListState();
  const days = usualPeriods.find((one) => String(one) === list.filter('days')) ?? USUAL;
  const to = format.dayOf(new Date());
  const from = daysAfter(to, 1 - days);
  const overTime = useReportConsumptionQuery({ by: 'day', from, to, limit: 100 });
  const byArea = useReportConsumptionQuery({ by: 'area', from, to, limit: ROWS, sort });
  const byProduct = useReportConsumptionQuery({ by: 'product', from, to, limit: ROWS, sort });
  for (const report of [overTime, byArea, byProduct]) throwOnError(report);

  return (
    <section aria-labelledby="consumption">
      <div className={classes.sectionHead}>
        <Title order={2} id="consumption">
          {t('reports.consumption')}
        </Title>
        <PeriodChoice
          days={days}
          onChange={(chosen) => list.narrow({ days: chosen === USUAL ? '' : String(chosen) })}
        />
        <Anchor
          component={Link}
          to={`/reports/consumption?for=patients&from=${from}&to=${to}`}
          className={classes.whole}
        >
          {t('reports.whole')}
        </Anchor>
      </div>
      <Paper withBorder className={classes.paper}>
        <ChartCard title="reports.overTime" label="details.date" answer={overTime}>
          <ConsumptionOverTime report={overTime.data} />
        </ChartCard>
        <ChartCard title="reports.byArea" label="details.area" answer={byArea}>
          <Ranking report={byArea.data} rows={ROWS} />
        </ChartCard>
        <ChartCard title="reports.byProduct" label="details.product" answer={byProduct}>
          <Ranking report={byProduct.data} rows={ROWS} />
        </ChartCard>
      </Paper>
    </section>
  );
}
