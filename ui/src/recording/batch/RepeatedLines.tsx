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
  /** Undefined if there are no former sheets. */
  patientId: number | undefined;
  /** Whether the supplies become a kit, for which today's are the nearest. */
  forKit: boolean;
  onFound: (items: Item[]) => void;
}

/**
 * Choose the day or the former sheet whose supplies are recorded again.
 *
 * It opens on the last day before today. The lines of another day are ticked; those of today, which are recorded
 * already, of a whole former sheet, and of a kit, are not.
 */
export function RepeatedLines({ sheetId, patientId, forKit, onFound }: Props) {
  const t = useText();
  const format = useFormat();
  const [from, setFrom] = useState<{ day?: string; fromSheet?: number }>();
  const latest = useListRepeatableQuery({ sheetId }, { refetchOnMountOrArgChange: true });
  const { days = [], day: latestDay } = latest.currentData ?? {};
  const today = format.dayOf(new Date());
  const before = forKit ? undefined : days.findLast((day) => day < today);
  const opensOn = before === undefined || before === latestDay ? {} : { day: before };
  const former =
    useListSheetsQuery({ patientId, closed: true, limit: FORMER_SHEETS }, { skip: patientId === undefined })
      .data?.items ?? [];
  const { currentData, isError } = useListRepeatableQuery(
    { sheetId, ...(from ?? opensOn) },
    { refetchOnMountOrArgChange: true, skip: !latest.currentData && !latest.isError },
  );
  const fill = useEffectEvent(({ day, items }: NonNullable<typeof currentData>) => {
    const ticked = !forKit && day !== null && day < today;
    onFound(items.map(({ product, quantity, times }) => ({ product, quantity, times, ticked })));
  });
  useEffect(() => {
    if (currentData) fill(currentData);
  }, [currentData]);
  return (
    <>
      {days.length + former.length > 0 && (
        <NativeSelect
          label={t('batch.from')}
          value={from?.fromSheet ?? from?.day ?? currentData?.day ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setFrom(value.includes('-') ? { day: value } : { fromSheet: Number(value) })
          }
          data={[
            ...(days.length === 0 ? [{ value: '', label: t('batch.choose'), disabled: true }] : []),
            ...days.toReversed().map((value) => ({ value, label: format.day(value) })),
            ...former.map(({ id, admission_date }) => ({
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
