import { Button, Paper } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { type RestockSummaryView, useListClosedRestockQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { EmptyState } from '@/shared/ui/EmptyState';
import { PageLoader } from '@/shared/ui/PageLoader';
import { AreaChoice } from './AreaChoice';
import classes from './restock.module.css';
import { useRestockArea } from './useRestockArea';

/** The closed lists of an area, the latest first. */
export default function ClosedListsPage() {
  const t = useText();
  const { areaId, chooseArea } = useRestockArea();
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <AreaChoice areaId={areaId} onChoose={chooseArea} />
        <Button component={Link} to={areaId ? `/restock?area=${areaId}` : '/restock'} variant="default">
          {t('restock.toOpen')}
        </Button>
      </div>
      {areaId ? <Lists key={areaId} areaId={areaId} /> : <EmptyState title={t('restock.chooseArea')} />}
    </div>
  );
}

function Lists({ areaId }: { areaId: number }) {
  const t = useText();
  const [earlier, setEarlier] = useState<RestockSummaryView[]>([]);
  const before = earlier.at(-1)?.number;
  const answer = useListClosedRestockQuery({ areaId, before }, { refetchOnMountOrArgChange: true });
  throwOnError(answer);
  if (!answer.data) return <PageLoader />;
  const shown = [...earlier, ...(answer.currentData?.items ?? [])];
  if (shown.length === 0) return <EmptyState title={t('restock.noLists')} hint={t('restock.noListsHint')} />;
  return (
    <>
      <Paper withBorder component="ul" className={classes.list}>
        {shown.map((one) => (
          <li key={one.id}>
            <ClosedLink one={one} />
          </li>
        ))}
      </Paper>
      {answer.data.more && (
        <Button variant="default" loading={answer.isFetching} onClick={() => setEarlier(shown)}>
          {t('restock.earlier')}
        </Button>
      )}
    </>
  );
}

function ClosedLink({ one }: { one: RestockSummaryView }) {
  const t = useText();
  const format = useFormat();
  const { id, number, closed_at, by, lines, left_over } = one;
  const counts = [
    t('restock.lines', { count: lines }),
    left_over > 0 && t('restock.leftOver', { count: left_over }),
  ];
  return (
    <Link to={`/restock/lists/${id}`} className={classes.closed}>
      <span className={classes.name}>{t('restock.listNumber', { number })}</span>
      <span>{t('restock.closedBy', { at: format.moment(closed_at), by })}</span>
      <span className={classes.note}>{counts.filter(Boolean).join(' · ')}</span>
    </Link>
  );
}
