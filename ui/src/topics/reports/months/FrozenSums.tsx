import { Stack, Text } from '@mantine/core';
import type { ConsumptionTotalsView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { DescriptionItem, DescriptionList } from '@/shared/ui/DescriptionList';
import { monthParts } from './monthParts';
import { useMonthName } from './useMonthName';

interface Props {
  month: string;
  /** The version that the closing makes. */
  turn: number;
  area: string | null | undefined;
  sums: ConsumptionTotalsView;
}

/** The sums that closing a month freezes. */
export function FrozenSums({ month, turn, area, sums }: Props) {
  const t = useText();
  const format = useFormat();
  const nameOf = useMonthName();
  const { total = 0, value = 0, parts } = sums;
  return (
    <Stack gap="sm">
      <Text fw={600}>{[nameOf(month), area ?? t('months.hospital')].join(' · ')}</Text>
      <DescriptionList>
        <DescriptionItem name={t('sheets.total')}>{format.money(total)}</DescriptionItem>
        <DescriptionItem name={t('reports.value')}>{format.money(value)}</DescriptionItem>
        {parts &&
          monthParts.map(({ part, label }) => (
            <DescriptionItem key={part} name={t(label)}>
              {t('reports.details', { count: parts[part].details })}
            </DescriptionItem>
          ))}
      </DescriptionList>
      <Text>{t('months.close.hint', { turn })}</Text>
    </Stack>
  );
}
