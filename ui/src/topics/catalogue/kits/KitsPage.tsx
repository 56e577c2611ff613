import { IconStack2 } from '@tabler/icons-react';
import { type KitView, useListKitsQuery } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { RowLink } from '@/shared/lists/RowLink';
import { useListState } from '@/shared/lists/useListState';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { CatalogueTabs } from '../CatalogueTabs';
import { useWhoseKits } from './useWhoseKits';

/** List the hospital's kits, or the user's own. */
export default function KitsPage() {
  const t = useText();
  const format = useFormat();
  const { own, home } = useWhoseKits();
  const list = useListState();

  const columns: Column<KitView>[] = [
    {
      label: 'kits.name',
      sort: 'name',
      cell: ({ id, name }) => <RowLink to={`${home}/${id}`}>{name}</RowLink>,
    },
  ];
  if (!own) columns.push({ label: 'details.area', cell: ({ area }) => area?.name ?? t('kits.everywhere') });
  columns.push(
    {
      label: 'products.title',
      minor: true,
      prose: true,
      cell: ({ lines }) => lines.map(({ product }) => nameAndCode(product)).join(', '),
    },
    { label: 'kits.lines', numeric: true, cell: ({ lines }) => format.quantity(lines.length) },
  );

  const { page, q } = list;
  const sort = sortAmong(columns, list.sort);
  const kits = useListKitsQuery({ page, sort, q, own });
  return (
    <ListPage
      title={own ? 'kits.mine' : 'kits.title'}
      list={list}
      answer={kits}
      columns={columns}
      defaultSort=""
      tabs={!own && <CatalogueTabs at="/products/kits" />}
      search="kits.search"
      exportFrom={{ path: '/api/kits', query: { sort, q, own } }}
      create={{ to: `${home}/create`, label: 'kits.create' }}
      empty={{
        icon: IconStack2,
        title: own ? 'kits.noneMine' : 'kits.none',
        hint: own ? 'kits.noneMineHint' : 'kits.noneHint',
      }}
    />
  );
}
