import type { SheetView } from '@/api/generated';
import { serverNow } from '@/api/serverClock';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useLastLine } from '@/shared/records/useLastLine';
import { StatusBadge } from '@/shared/ui/StatusBadge';
import classes from './TodayLines.module.css';

/** How many lines a sheet has today, or that it has none, and whether the discharge is announced. */
export function TodayLines({ sheet }: { sheet: SheetView }) {
  const t = useText();
  const format = useFormat();
  const today = format.dayOf(serverNow());
  const lines = sheet.consumptions.find(({ created_at }) => format.dayOf(created_at) === today)?.details ?? 0;
  return (
    <>
      {lines === 0 && (
        <span className={classes.none}>
          <StatusBadge is="sheet.quiet">{t('ward.nothingToday')}</StatusBadge>
        </span>
      )}
      <b className={classes.lines} data-when={t('sheets.today').toLocaleLowerCase()}>
        {format.quantity(lines)}
      </b>{' '}
      {sheet.discharge_proposed_at && <StatusBadge is="sheet.discharge">{t('ward.discharge')}</StatusBadge>}
    </>
  );
}

/** When the last line of a sheet was recorded. */
export function LastLine({ sheet: { consumptions } }: { sheet: SheetView }) {
  const lastLine = useLastLine();
  // By the days of use, a later day may have been recorded earlier.
  const moments = consumptions.map(({ last_recorded_at }) => last_recorded_at ?? '').sort();
  return <span>{lastLine(moments.at(-1))}</span>;
}
