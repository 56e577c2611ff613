import { Button, Paper } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { type RestockProductView, type ShelfView, useListShelvesQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { EmptyState } from '@/shared/ui/EmptyState';
import { PageLoader } from '@/shared/ui/PageLoader';
import { isCodeOf, ProductNote, useActiveProducts } from '@/topics/catalogue/productSearch';
import { AreaChoice } from './AreaChoice';
import classes from './restock.module.css';
import { ShelfDialog } from './ShelfDialog';
import { useRestockArea } from './useRestockArea';

/** The shelves and fixed amounts of an area. */
export default function ShelvesPage() {
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
      {areaId ? <Shelves key={areaId} areaId={areaId} /> : <EmptyState title={t('restock.chooseArea')} />}
    </div>
  );
}

function Shelves({ areaId }: { areaId: number }) {
  const t = useText();
  const format = useFormat();
  const [edited, setEdited] = useState<ShelfView | null>(null);
  const [added, setAdded] = useState(0);
  const answer = useListShelvesQuery({ areaId }, { refetchOnMountOrArgChange: true });
  throwOnError(answer);
  if (!answer.currentData) return <PageLoader />;
  const { items } = answer.currentData;
  const edit = (product: RestockProductView) =>
    setEdited(
      items.find((one) => one.product.id === product.id) ?? { product, shelf: null, fixed_amount: null },
    );
  return (
    <>
      <SearchSelect
        key={added}
        label={t('restock.addShelf')}
        className={classes.area}
        useFound={useActiveProducts}
        nameOf={({ name }) => name}
        noteOf={(product) => <ProductNote product={product} />}
        isExact={isCodeOf}
        onChange={(_, product) => {
          if (product) edit({ ...product, unit: product.unit ?? null, code: product.code ?? null });
        }}
      />
      {items.length === 0 ? (
        <EmptyState title={t('restock.noShelves')} hint={t('restock.noShelvesHint')} />
      ) : (
        <Paper withBorder component="ul" className={classes.list}>
          {items.map((one) => (
            <li key={one.product.id} className={classes.row}>
              <button
                type="button"
                className={`${classes.line} ${classes.still}`}
                onClick={() => setEdited(one)}
              >
                <span>
                  <span className={classes.name}>{one.product.name}</span>
                  <span className={classes.note}>
                    {[
                      one.shelf === null ? t('restock.noShelf') : t('restock.shelf', { shelf: one.shelf }),
                      one.product.code,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                {one.fixed_amount !== null && (
                  <span className={classes.amount}>
                    <span>{format.quantity(one.fixed_amount)}</span>
                    <small>{one.product.unit}</small>
                  </span>
                )}
              </button>
            </li>
          ))}
        </Paper>
      )}
      {edited && (
        <ShelfDialog
          areaId={areaId}
          product={edited.product}
          shelf={edited.shelf}
          fixedAmount={edited.fixed_amount}
          onClose={() => {
            setEdited(null);
            setAdded((count) => count + 1);
          }}
        />
      )}
    </>
  );
}
