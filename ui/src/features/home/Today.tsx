import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OverviewView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import classes from './home.module.css';

/** Show the day's figures; the total only to users who see prices. */
export function Today({ overview }: { overview: OverviewView | undefined }) {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const { details = 0, patients = 0, total = 0 } = overview?.today ?? {};
  const sheets = overview?.open_sheets ?? 0;
  return (
    <section aria-label={t('home.today')}>
      <dl className={classes.figures}>
        <Figure known={overview} name={t('home.details', { count: details })}>
          {format.quantity(details)}
        </Figure>
        <Figure known={overview} name={t('home.patients', { count: patients })}>
          {format.quantity(patients)}
        </Figure>
        {seesPrices && (
          <Figure known={overview} name={t('home.total')}>
            {format.money(total)}
          </Figure>
        )}
        <Figure known={overview} name={t('home.sheets', { count: sheets })}>
          {format.quantity(sheets)}
        </Figure>
      </dl>
    </section>
  );
}

function Figure({ known, name, children }: { known: unknown; name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{known ? children : <Skeleton height="2rem" width="4rem" />}</dd>
    </div>
  );
}
