import { SegmentedControl } from '@mantine/core';
import type { UsedFor } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { usedForLabels } from '@/topics/sheets/line-pages/usedFor';
import classes from './charts.module.css';

interface Props {
  value: UsedFor;
  onChange: (value: UsedFor) => void;
}

/** Choose for whom the supplies of a report were used. */
export function UsedForChoice({ value, onChange }: Props) {
  const t = useText();
  return (
    <SegmentedControl
      aria-label={t('details.usedFor')}
      className={classes.periods}
      value={value}
      onChange={(chosen) => onChange(chosen as UsedFor)}
      data={(Object.keys(usedForLabels) as UsedFor[]).map((one) => ({
        value: one,
        label: t(usedForLabels[one]),
      }))}
    />
  );
}
