import { Paper, Text, Title } from '@mantine/core';
import { IconDoorExit } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { OverviewView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { fullName } from '@/shared/records/fullName';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { ClampedText } from '@/shared/ui/ClampedText';
import classes from './home.module.css';

/** List the discharges whose sheets wait to be closed, for users without a worklist. */
export function Discharges({ overview: { discharges = [] } }: { overview: OverviewView }) {
  const t = useText();
  const format = useFormat();
  if (discharges.length === 0) return null;
  return (
    <section aria-labelledby="discharges">
      <div className={classes.head}>
        <Title order={2} id="discharges" className={classes.look}>
          <IconDoorExit size={20} aria-hidden />
          <span>{t('home.discharges')}</span>
        </Title>
      </div>
      <Paper withBorder className={classes.card}>
        <Text c="dimmed" size="sm" px="md" pt="xs">
          {t('home.dischargesHint')}
        </Text>
        <ul className={classes.list}>
          {discharges.map(({ consumption_sheet_id: id, patient, room, at }) => (
            <li key={id} className={`${classes.item} ${classes.recalled}`}>
              <Link to={detailsOf({ id })} className={classes.odd}>
                <span>
                  <ClampedText className={classes.about}>{fullName(patient)}</ClampedText>{' '}
                  <span className={classes.note}>{t('home.discharge', { room, at: format.moment(at) })}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Paper>
    </section>
  );
}
