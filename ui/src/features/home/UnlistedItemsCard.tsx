import { Paper, Text, Title } from '@mantine/core';
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs';
import { Link } from 'react-router-dom';
import type { OverviewView } from '@/api/generated';
import { fullName } from '@/components/people/fullName';
import { closedPageOf, detailsOf } from '@/components/sheets/sheetAddresses';
import { ClampedText } from '@/components/ui/ClampedText';
import { StatusBadge } from '@/components/ui/StatusBadge';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './home.module.css';

/** List the sheets with open unlisted items, for supervisors. */
export function UnlistedItemsCard({ overview }: { overview: OverviewView }) {
  const t = useText();
  const format = useFormat();
  const { unlisted = [], unlisted_total = 0 } = overview;
  if (unlisted.length === 0) return null;
  const more = unlisted_total - unlisted.length;
  return (
    <section aria-labelledby="unlisted">
      <div className={classes.head}>
        <Title order={2} id="unlisted" className={classes.look}>
          <IconHelpCircle size={20} aria-hidden />
          <span>{t('home.unlisted', { count: unlisted_total })}</span>
        </Title>
      </div>
      <Paper withBorder className={classes.card}>
        <Text c="dimmed" size="sm" px="md" pt="xs">
          {t('home.unlistedHint')}
        </Text>
        <ul className={classes.list}>
          {unlisted.map(({ consumption_sheet_id: id, closed, patient, items, since }) => (
            <li key={id} className={`${classes.item} ${classes.recalled}`}>
              <Link to={closed ? closedPageOf({ id }) : detailsOf({ id })} className={classes.odd}>
                <span>
                  <ClampedText className={classes.about}>{fullName(patient)}</ClampedText>{' '}
                  <span className={classes.note}>
                    <span>{t('home.unlistedCount', { count: items, since: format.moment(since) })}</span>{' '}
                    {closed && <StatusBadge is="sheet.closed">{t('details.closed')}</StatusBadge>}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
        {more > 0 && (
          <Text c="dimmed" size="sm" px="md" pb="xs">
            {t('home.unlistedMore', { more })}
          </Text>
        )}
      </Paper>
    </section>
  );
}
