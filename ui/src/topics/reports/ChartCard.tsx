import { Button, Title } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { ConsumptionPage } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { useExport } from '@/shared/lists/useExport';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import { ChartTable } from './ChartTable';
import classes from './charts.module.css';

interface Props {
  title: MessageId;
  /** The heading of the row names. */
  label: MessageId;
  answer: { data?: ConsumptionPage; isFetching: boolean };
  /** The chart of the report. */
  children: ReactNode;
}

/** Show a chart that can be switched to its table. */
export function ChartCard({ title, label, answer, children }: Props) {
  const { data: report, isFetching } = answer;
  const t = useText();
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  const { items, busy } = useExport({
    path: '/api/reports/consumption',
    query: { by: report?.by, ...report?.period },
    name: t(title),
    disabled: !report?.items.length,
  });
  return (
    <section aria-labelledby={id} className={classes.figures} aria-busy={isFetching}>
      <div className={classes.head}>
        <Title order={3} id={id}>
          {t(title)}
        </Title>
        <Button
          className={classes.turn}
          variant="subtle"
          size="compact-md"
          disabled={!report}
          leftSection={asTable ? <IconChartBar size={18} aria-hidden /> : <IconTable size={18} aria-hidden />}
          onClick={() => setAsTable(!asTable)}
          aria-describedby={id}
        >
          {t(asTable ? 'reports.asChart' : 'reports.asTable')}
        </Button>
        {report && (
          <OverflowMenuButton label={t('reports.moreOf', { of: t(title) })} items={items} busy={busy} />
        )}
      </div>
      {asTable && report?.items.length ? (
        <ChartTable title={t(title)} report={report} label={label} />
      ) : (
        children
      )}
    </section>
  );
}
