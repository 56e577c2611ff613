import { SegmentedControl } from '@mantine/core';
import { useText } from '@/i18n/useText';
import classes from './charts.module.css';
import { usualPeriods } from './period';

interface Props {
  /** Undefined for another period. */
  days: number | undefined;
  onChange: (days: number) => void;
}

/** Choose the last 7, 30 or 90 days. */
export function PeriodChoice({ days, onChange }: Props) {
  const t = useText();
  return (
    <SegmentedControl
      aria-label={t('reports.period')}
      className={classes.periods}
      value={days ? String(days) : ''}
      onChange={(chosen) => onChange(Number(chosen))}
      data={usualPeriods.map((one) => ({ value: String(one), label: t('reports.days', { days: one }) }))}
    />
  );
}
