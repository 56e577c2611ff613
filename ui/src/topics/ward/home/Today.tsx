import { Skeleton } from '@mantine/core';
import type { OverviewView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import classes from './home.module.css';

/** Show the day's figures in one line; the total only to users who see prices. */
export function Today({ overview }: { overview: OverviewView | undefined }) {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  return (
    <section aria-label={t('home.today')} className={classes.figures}>
      {overview ? figuresOf(overview) : <Skeleton height="1rem" width="20rem" maw="100%" />}
    </section>
  );

  function figuresOf({ today, open_sheets: sheets }: OverviewView) {
    const figures = [
      { value: format.quantity(today.details), name: t('home.details', { count: today.details }) },
      { value: format.quantity(today.patients), name: t('home.patients', { count: today.patients }) },
      ...(seesPrices ? [{ value: format.money(today.total ?? 0), name: t('home.total') }] : []),
      { value: format.quantity(sheets), name: t('home.sheets', { count: sheets }) },
    ];
    return figures.map(({ value, name }, place) => (
      <span key={name}>
        {place > 0 && <span aria-hidden>· </span>}
        <b>{value}</b> <span>{name}</span>{' '}
      </span>
    ));
  }
}
