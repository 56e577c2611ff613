import { Button, Text, VisuallyHidden } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { SheetSummaryView, SheetView } from '@/api/generated';
import { serverNow } from '@/api/serverClock';
import { useHospitalClock } from '@/i18n/hospitalClock';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { zonedTimeToIso } from '@/i18n/zonedTimeToIso';
import { useCan } from '@/session/useCan';
import { useDayNames } from '@/topics/sheets/useDayNames';
import classes from './DayStrip.module.css';

/** How many empty days have a button. The record bar can choose any time for the others. */
const MAX_BUTTONS = 7;

interface Props {
  sheet: SheetView;
  summary: SheetSummaryView;
  /** Record lines that were used at this time; null is now. */
  onRecordAt: (moment: string | null) => void;
}

/**
 * Show the lines of each day of the stay as bars.
 *
 * Days without lines are hatched and named. Lines can be added to those that the user may still record on.
 */
export function DayStrip({ sheet, summary: { days, recordable_from }, onRecordAt }: Props) {
  const t = useText();
  const format = useFormat();
  const nameDays = useDayNames();
  const mayAdd = useCan('details.add');
  const clock = useHospitalClock();
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  if (!first || !last) return null;
  const most = Math.max(...days.map(({ lines }) => lines));
  const empty = days.filter(({ lines }) => lines === 0).map(({ day }) => day);
  const admitted = sheet.stays?.[0]?.from;
  /** Noon of that day, but not before the admission. */
  const timeOn = (day: string) => {
    const noon = zonedTimeToIso(clock, `${day}T12:00`);
    return admitted && Date.parse(admitted) > Date.parse(noon) ? admitted : noon;
  };
  const recordable = empty.filter(
    (day) => !recordable_from || Date.parse(timeOn(day)) > Date.parse(recordable_from),
  );
  const offered = mayAdd ? recordable.slice(-MAX_BUTTONS) : [];
  const others = mayAdd ? recordable.length - offered.length : 0;
  return (
    <section className={classes.strip}>
      <ol className={classes.days} aria-label={t('sheets.close.days')}>
        {days.map(({ day, lines }) => (
          <li key={day} title={t('sheets.close.day', { day: format.shortDay(day), count: lines })}>
            <VisuallyHidden>
              {t('sheets.close.day', { day: format.shortDay(day), count: lines })}
            </VisuallyHidden>
            <span
              className={classes.bar}
              data-empty={lines === 0 || undefined}
              style={{ height: lines > 0 ? `${Math.max(10, (lines / most) * 100)}%` : undefined }}
            />
          </li>
        ))}
      </ol>
      <div className={classes.ends} aria-hidden>
        <span>{format.shortDay(first)}</span>
        {last !== first && <span>{format.shortDay(last)}</span>}
      </div>
      {empty.length > 0 && <Text fw={600}>{t('sheets.close.emptyDays', { days: nameDays(empty) })}</Text>}
      {offered.length > 0 && (
        <div className={classes.buttons}>
          {offered.map((day) => (
            <Button
              key={day}
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => {
                const moment = timeOn(day);
                onRecordAt(Date.parse(moment) > serverNow().getTime() ? null : moment);
              }}
            >
              {t('sheets.close.addOn', { day: format.shortDay(day) })}
            </Button>
          ))}
        </div>
      )}
      {others > 0 && <Text c="dimmed">{t('sheets.close.otherDays', { count: others })}</Text>}
      {mayAdd && recordable.length < empty.length && (
        <Text c="dimmed">{t('sheets.close.daysOfSupervisor')}</Text>
      )}
    </section>
  );
}
