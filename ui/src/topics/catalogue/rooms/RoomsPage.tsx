import { Stack } from '@mantine/core';
import { IconDoor, IconListNumbers, IconPencil } from '@tabler/icons-react';
import { type AreaView, type RoomView, useListRoomsQuery, useReadAreaQuery } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { choiceAmong, choiceFilter, searchFilter } from '@/shared/lists/listFilters';
import { RowLink } from '@/shared/lists/RowLink';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { ClampedText } from '@/shared/ui/ClampedText';
import { useReturnState } from '@/shared/ui/useReturnPath';
import { useAreas } from '../useAreas';
import { RoomState, RoomType } from './RoomState';
import { roomStates } from './roomStates';

const statuses = roomStates.map(({ value, label }) => ({ value: String(value), label }));

/** List the rooms of the hospital with their present status. */
export default function RoomsPage() {
  const t = useText();
  const mayManage = useCan('catalogue.manage');
  const here = useReturnState();
  const list = useListState();

  const columns: Column<RoomView>[] = [
    {
      label: 'rooms.one',
      sort: 'name',
      cell: (room) => (
        <RowLink to={`/rooms/${room.id}`} state={here}>
          {room.name}
        </RowLink>
      ),
    },
    { label: 'rooms.area', sort: 'area', cell: (room) => room.area.name },
    { label: 'rooms.status', sort: 'status', cell: (room) => <RoomState value={room.status} /> },
    { label: 'rooms.patients', cell: (room) => room.sheets.length > 0 && <Patients room={room} /> },
    { label: 'rooms.type', sort: 'type', minor: true, cell: (room) => <RoomType value={room.type} /> },
  ];
  const { page, q } = list;
  const sort = sortAmong(columns, list.sort);
  const areaId = list.filterId('area');
  const status = choiceAmong(statuses, list.filter('status'));
  const rooms = useListRoomsQuery({ page, sort, q, areaId, status: status ? Number(status) : undefined });
  const area = useReadAreaQuery({ areaId: areaId ?? 0 }, { skip: areaId === undefined });
  return (
    <ListPage
      title="rooms.title"
      list={list}
      answer={rooms}
      columns={columns}
      menu={
        mayManage
          ? ({ id, name }) => ({
              of: name,
              items: [{ label: t('rooms.edit'), icon: IconPencil, to: `/rooms/${id}/edit` }],
            })
          : undefined
      }
      defaultSort="name"
      search="rooms.search"
      filters={[
        searchFilter<AreaView>({
          list,
          name: 'area',
          label: t('rooms.area'),
          all: t('rooms.allAreas'),
          useFound: useAreas,
          nameOf: ({ name }) => name,
          valueName: area.currentData?.name,
        }),
        choiceFilter(t, {
          list,
          name: 'status',
          label: 'rooms.status',
          all: 'rooms.allStatuses',
          choices: statuses,
        }),
      ]}
      exportFrom={{ path: '/api/rooms', query: { sort, q, area_id: areaId, status } }}
      beside={
        mayManage
          ? [
              {
                label: 'rooms.createSeveral',
                to: `/rooms/several${areaId ? `?area=${areaId}` : ''}`,
                icon: IconListNumbers,
              },
            ]
          : undefined
      }
      imports="rooms"
      create={
        mayManage
          ? { to: `/rooms/create${areaId ? `?area=${areaId}` : ''}`, label: 'rooms.create' }
          : undefined
      }
      empty={{ icon: IconDoor, title: 'rooms.none', hint: 'rooms.noneHint' }}
    />
  );
}

/** How many patients of a room are named; the others are on its page. */
const NAMED = 3;

function Patients({ room: { sheets } }: { room: RoomView }) {
  const t = useText();
  const more = sheets.length - NAMED;
  return (
    <Stack gap={0}>
      {sheets.slice(0, NAMED).map((sheet) => (
        <ClampedText key={sheet.id} entire>
          {fullName(sheet.patient)}
        </ClampedText>
      ))}
      {more > 0 && <span>{t('rooms.morePatients', { more })}</span>}
    </Stack>
  );
}
