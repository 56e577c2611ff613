import { IconBuildingHospital } from '@tabler/icons-react';
import { type AreaView, useListAreasQuery } from '@/api/generated';
import { useCan } from '@/session/useCan';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { RowLink } from '@/shared/lists/RowLink';
import { useListState } from '@/shared/lists/useListState';

const columns: Column<AreaView>[] = [
  {
    label: 'areas.name',
    sort: 'name',
    cell: (area) => <RowLink to={`/areas/${area.id}`}>{area.name}</RowLink>,
  },
];

/** List all areas of the hospital. */
export default function AreasPage() {
  const mayManage = useCan('catalogue.manage');
  const list = useListState();
  const { page, q } = list;
  const sort = sortAmong(columns, list.sort);
  const areas = useListAreasQuery({ page, sort, q });
  return (
    <ListPage
      title="areas.title"
      list={list}
      answer={areas}
      columns={columns}
      defaultSort="name"
      search="areas.search"
      exportFrom={{ path: '/api/areas', query: { sort, q } }}
      imports="areas"
      create={mayManage ? { to: '/areas/create', label: 'areas.create' } : undefined}
      empty={{ icon: IconBuildingHospital, title: 'areas.none', hint: 'areas.noneHint' }}
    />
  );
}
