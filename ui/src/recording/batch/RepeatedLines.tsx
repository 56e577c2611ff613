import { NativeSelect } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useListRepeatableQuery, useListSheetsQuery } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { Item } from './items';
import classes from './RecordBatchDrawer.module.css';

/** How many of the patient's former sheets are offered. */
const FORMER_SHEETS = 5;

interface Props {
  sheetId: number;
  patientId: number;
  onFound: (items: Item[]) => void;
}

/**
 * Choose the day or the former sheet whose supplies are recorded again.
 *
 * Its lines start unticked, so that unused supplies are not copied by habit.
 */
export function RepeatedLines({ sheetId, patientId, onFound }: Props) {
  const t = useText();
  const format = useFormat();
  const [from, setFrom] = useState<{ day?: string; fromSheet?: number }>({});
  const days = useListRepeatableQuery({ sheetId }).data?.days ?? [];
  const before = useListSheetsQuery({ patientId, closed: true, limit: FORMER_SHEETS }).data?.items ?? [];
  const { currentData, isError } = useListRepeatableQuery(
    { sheetId, ...from },
    { refetchOnMountOrArgChange: true },
  );
  const fill = useEffectEvent(({ items }: NonNullable<typeof currentData>) =>
    onFound(items.map(({ product, quantity, times }) => ({ product, quantity, times, ticked: false }))),
  );
  useEffect(() => {
    if (currentData) fill(currentData);
  }, [currentData]);
  return (
    <>
      {days.length + before.length > 0 && (
        <NativeSelect
          label={t('batch.from')}
          value={from.fromSheet ?? from.day ?? currentData?.day ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setFrom(value.includes('-') ? { day: value } : { fromSheet: Number(value) })
          }
          data={[
            ...(days.length === 0 ? [{ value: '', label: t('batch.choose'), disabled: true }] : []),
            ...days.toReversed().map((value) => ({ value, label: format.day(value) })),
            ...before.map(({ id, admission_date }) => ({
              value: String(id),
              label: t('batch.ofSheet', { id, day: format.day(admission_date) }),
            })),
          ]}
        />
      )}
      {currentData?.items.length === 0 && <p>{t('batch.none')}</p>}
      {isError && <p className={classes.wrong}>{t('error.unreachable')}</p>}
    </>
  );
}
