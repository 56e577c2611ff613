import { Paper, Text, Title } from '@mantine/core';
import IconClockExclamation from '@tabler/icons-react/dist/esm/icons/IconClockExclamation.mjs';
import { Link } from 'react-router-dom';
import type { OverviewView } from '@/api/generated';
import { fullName } from '@/components/people/fullName';
import { closedPageOf, detailsOf } from '@/components/sheets/sheetAddresses';
import { ClampedText } from '@/components/ui/ClampedText';
import { StatusBadge } from '@/components/ui/StatusBadge';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './home.module.css';

/** List the sheets with late entries, for users who decide on them. */
export function LateEntriesCard({ overview }: { overview: OverviewView }) {
  const t = useText();
  const format = useFormat();
  const { late = [] } = overview;
  if (late.length === 0) return null;
  return (
    <section aria-labelledby="late">
      <div className={classes.head}>
        <Title order={2} id="late" className={classes.look}>
          <IconClockExclamation size={20} aria-hidden />
          <span>{t('home.late')}</span>
        </Title>
      </div>
      <Paper withBorder className={classes.card}>
        <Text c="dimmed" size="sm" px="md" pt="xs">
          {t('home.lateHint')}
        </Text>
        <ul className={classes.list}>
          {late.map(({ consumption_sheet_id: id, closed, patient, entries, since }) => (
            <li key={id} className={`${classes.item} ${classes.recalled}`}>
              <Link to={closed ? closedPageOf({ id }) : detailsOf({ id })} className={classes.odd}>
                <span>
                  <ClampedText className={classes.about}>{fullName(patient)}</ClampedText>{' '}
                  <span className={classes.note}>
                    <span>{t('home.lateCount', { count: entries, since: format.moment(since) })}</span>{' '}
                    {closed && <StatusBadge is="sheet.closed">{t('details.closed')}</StatusBadge>}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Paper>
    </section>
  );
}
