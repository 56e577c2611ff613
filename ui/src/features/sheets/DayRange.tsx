import { DateField } from '@/components/DateField';
import type { ListState } from '@/components/useListState';
import { useText } from '@/i18n/useText';
import classes from './ClosedSheetsPage.module.css';

/** Narrows the list to the sheets closed from one day to another, both included. */
export function DayRange({ list }: { list: ListState }) {
  const t = useText();
  return (
    <div className={classes.range}>
      <DateField
        label={t('sheets.closedFrom')}
        value={list.from ?? null}
        maxDate={list.to}
        onChange={(day) => list.narrow({ from: day ?? '' })}
      />
      <DateField
        label={t('sheets.closedTo')}
        value={list.to ?? null}
        minDate={list.from}
        onChange={(day) => list.narrow({ to: day ?? '' })}
      />
    </div>
  );
}
