import { IconPackageOff } from '@tabler/icons-react';
import { type ProductView, type RecallView, useListRecallsQuery, useReadProductQuery } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { ListTabs } from '@/shared/lists/ListTabs';
import { searchFilter } from '@/shared/lists/listFilters';
import { RowLink } from '@/shared/lists/RowLink';
import { useListState } from '@/shared/lists/useListState';
import { Code } from '@/shared/ui/Code';
import { codeAndUnit, useAllProducts } from '../productSearch';

/** List the recalls in force, or the closed ones. */
export default function RecallsPage() {
  const t = useText();
  const format = useFormat();
  const list = useListState();
  const closed = list.filter('ended') === '1';

  const columns: Column<RecallView>[] = [
    {
      label: 'details.product',
      sort: 'product',
      cell: ({ id, product }) => (
        <>
          <RowLink to={`/recalls/${id}`}>{product.name}</RowLink> <Code code={product.code} equal={false} />
        </>
      ),
    },
    { label: 'details.lot', cell: ({ lot }) => lot ?? t('recalls.allLots') },
    { label: 'recalls.reason', minor: true, prose: true, cell: ({ reason }) => reason },
    {
      label: 'recalls.openedAt',
      sort: 'opened_at',
      cell: ({ opened_at }) => format.day(format.dayOf(opened_at)),
    },
  ];
  if (closed)
    columns.push({
      label: 'recalls.closedAt',
      cell: ({ closed_at }) => closed_at && format.day(format.dayOf(closed_at)),
    });

  const { page, q } = list;
  const sort = sortAmong(columns, list.sort);
  const productId = list.filterId('product');
  const recalls = useListRecallsQuery({ page, sort, q, productId, closed });
  const product = useReadProductQuery({ productId: productId ?? 0 }, { skip: productId === undefined });
  return (
    <ListPage
      title="recalls.title"
      list={list}
      answer={recalls}
      columns={columns}
      defaultSort="-opened_at"
      tabs={
        <ListTabs
          label="recalls.lists"
          lists={[
            { to: '/recalls', label: 'recalls.inForce', here: !closed },
            { to: '/recalls?ended=1', label: 'recalls.ended', here: closed },
          ]}
        />
      }
      search="details.search"
      filters={[
        searchFilter<ProductView>({
          list,
          name: 'product',
          label: t('details.product'),
          all: t('details.allProducts'),
          useFound: useAllProducts,
          nameOf: ({ name }) => name,
          noteOf: codeAndUnit,
          valueName: product.currentData?.name,
        }),
      ]}
      exportFrom={{ path: '/api/recalls', query: { sort, q, product_id: productId, closed } }}
      create={{ to: '/recalls/create', label: 'recalls.create' }}
      empty={{
        icon: IconPackageOff,
        title: closed ? 'recalls.noneEnded' : 'recalls.none',
        hint: 'recalls.noneHint',
      }}
    />
  );
}
