import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { DateField } from './DateField';
import classes from './ListToolbar.module.css';
import type { ListState } from './useListState';

interface Props {
  list: ListState;
  from: MessageId;
  to: MessageId;
}

/** Narrows a list to what happened from one day to another, both included. */
export function DayRange({ list, from, to }: Props) {
  const t = useText();
  return (
    <div className={classes.range}>
      <DateField
        label={t(from)}
        value={list.from ?? null}
        maxDate={list.to}
        onChange={(day) => list.narrow({ from: day ?? '' })}
      />
      <DateField
        label={t(to)}
        value={list.to ?? null}
        minDate={list.from}
        onChange={(day) => list.narrow({ to: day ?? '' })}
      />
    </div>
  );
}
