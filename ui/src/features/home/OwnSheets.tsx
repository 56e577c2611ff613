import { Anchor, Paper, Skeleton, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { OverviewView, SheetAtWorkView } from '@/api/generated';
import { fullName } from '@/components/people/fullName';
import { detailsOf } from '@/components/sheets/sheetAddresses';
import { ClampedText } from '@/components/ui/ClampedText';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './home.module.css';

/** List the open sheets on which the user works, the latest first. */
export function OwnSheets({ overview }: { overview: OverviewView | undefined }) {
  const t = useText();
  return (
    <section aria-labelledby="own-sheets">
      <div className={classes.head}>
        <Title order={2} id="own-sheets">
          {t('home.mine')}
        </Title>
        <Anchor component={Link} to="/consumption-sheets" className={classes.all}>
          {t('home.allOpen')}
        </Anchor>
      </div>
      <Paper withBorder className={classes.card}>
        {overview?.mine.length === 0 ? (
          <Text c="dimmed" p="md">
            {t(overview.open_sheets === 0 ? 'home.noneOpen' : 'home.mineNone')}
          </Text>
        ) : (
          <ul className={classes.list}>
            {overview
              ? overview.mine.map((sheet) => <OwnSheet key={sheet.id} sheet={sheet} today={overview.day} />)
              : ['a', 'b', 'c', 'd'].map((key) => (
                  <li key={key} className={classes.item}>
                    <div className={classes.sheet}>
                      <Skeleton height="1.25rem" width="70%" />
                      <Skeleton height="1.25rem" width="4rem" />
                      <Skeleton height="1rem" width="50%" />
                    </div>
                  </li>
                ))}
          </ul>
        )}
      </Paper>
    </section>
  );
}

function OwnSheet({ sheet, today }: { sheet: SheetAtWorkView; today: string }) {
  const t = useText();
  const lastRecorded = useLastRecorded();
  return (
    <li className={classes.item}>
      <Link to={detailsOf(sheet)} className={classes.sheet}>
        <ClampedText className={classes.patient}>{fullName(sheet.patient)}</ClampedText>
        <ClampedText className={classes.room}>{sheet.room.name}</ClampedText>
        <span className={classes.note}>{t('home.admitted', { days: sheet.days_open })}</span>
        <span className={classes.note}>{lastRecorded(sheet, today)}</span>
      </Link>
    </li>
  );
}

function useLastRecorded() {
  const t = useText();
  const format = useFormat();
  return ({ details: count, last_recorded_at: at }: SheetAtWorkView, today: string) => {
    if (!at) return t('home.nothingRecorded');
    const day = format.dayOf(at);
    const time = format.time(at);
    if (day === today) return t('home.lastToday', { count, time });
    return t('home.lastOn', { count, day: format.shortDay(day) });
  };
}
