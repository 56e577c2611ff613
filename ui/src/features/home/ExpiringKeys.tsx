import { Paper, Title } from '@mantine/core';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import { Link } from 'react-router-dom';
import type { OverviewView } from '@/api/generated';
import { lastMoment } from '@/i18n/lastMoment';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './home.module.css';

/** List the keys that expire soon, for users who can create keys. */
export function ExpiringKeys({ overview }: { overview: OverviewView }) {
  const t = useText();
  const format = useFormat();
  const { expiring_keys: keys = [] } = overview;
  if (keys.length === 0) return null;
  return (
    <section aria-labelledby="expiring-keys">
      <div className={classes.head}>
        <Title order={2} id="expiring-keys" className={classes.look}>
          <IconKey size={20} aria-hidden />
          <span>{t('home.keys')}</span>
        </Title>
      </div>
      <Paper withBorder className={classes.card}>
        <ul className={classes.list}>
          {keys.map(({ id, name, service_account: program, expires_at }) => (
            <li key={id} className={`${classes.item} ${classes.recalled}`}>
              <Link to="/service-accounts" className={classes.odd}>
                {t(Date.parse(expires_at) > Date.now() ? 'home.keyExpires' : 'home.keyExpired', {
                  name,
                  program,
                  at: format.day(format.dayOf(lastMoment(expires_at))),
                })}
              </Link>
            </li>
          ))}
        </ul>
      </Paper>
    </section>
  );
}
