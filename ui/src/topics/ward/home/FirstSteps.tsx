import { Anchor, Paper, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useListAreasQuery, useListProductsQuery, useListRoomsQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import classes from './firstSteps.module.css';

interface Step {
  label: MessageId;
  to: string;
  done: boolean;
}

/**
 * Return what a new hospital needs before its first sheet.
 *
 * It is undefined while loading, and empty when complete.
 */
export function useGettingStarted(fresh: boolean): Step[] | undefined {
  const areas = useListAreasQuery({ limit: 1 }, { skip: !fresh });
  const rooms = useListRoomsQuery({ limit: 1 }, { skip: !fresh });
  const products = useListProductsQuery({ limit: 1 }, { skip: !fresh });
  for (const list of [areas, rooms, products]) throwOnError(list);
  if (!fresh) return [];
  if (!areas.data || !rooms.data || !products.data) return undefined;
  const steps: Step[] = [
    { label: 'home.first.areas', to: '/areas/create', done: areas.data.meta.total > 0 },
    { label: 'home.first.rooms', to: '/rooms/create', done: rooms.data.meta.total > 0 },
    { label: 'home.first.products', to: '/products/create', done: products.data.meta.total > 0 },
  ];
  return steps.every(({ done }) => done) ? [] : steps;
}

/** List the steps before the first sheet. */
export function FirstSteps({ steps }: { steps: Step[] }) {
  const t = useText();
  const mayManage = useCan('catalogue.manage');
  return (
    <Paper withBorder component="section" aria-labelledby="first-steps" p="lg" maw="40rem">
      <Title order={2} id="first-steps">
        {t('home.first.title')}
      </Title>
      <Text c="dimmed" mt={4}>
        {t(mayManage ? 'home.first.what' : 'home.first.whoManages')}
      </Text>
      <ol className={classes.steps}>
        {steps.map(({ label, to, done }) => (
          <li key={to} className={classes.step}>
            {done ? <IconCircleCheck size={22} aria-hidden /> : <IconCircle size={22} aria-hidden />}
            {done || !mayManage ? (
              <span className={done ? classes.done : undefined}>{t(label)}</span>
            ) : (
              <Anchor component={Link} to={to} className={classes.link}>
                {t(label)}
              </Anchor>
            )}
            {done && <span className={classes.done}>{t('home.first.done')}</span>}
          </li>
        ))}
      </ol>
    </Paper>
  );
}
