import { Stack } from '@mantine/core';
import { useParams } from 'react-router-dom';
import { useListRoomsQuery, useReadAreaQuery } from '@/api/generated';
import { failOn } from '@/api/problem';
import { LinkList } from '@/components/LinkList';
import { PageLoader } from '@/components/PageLoader';
import { ClosedSheetsOf, OpenSheetsOf } from '@/components/SheetLists';
import { ShowCard } from '@/components/ShowCard';
import { useCan } from '@/session/useCan';

/** One area and its rooms. */
export default function AreaPage() {
  const areaId = Number(useParams().id);
  const mayManage = useCan('catalogue.manage');
  const area = useReadAreaQuery({ areaId });
  const rooms = useListRoomsQuery({ areaId, limit: 100 });
  failOn(area);
  failOn(rooms);
  if (!area.currentData) return <PageLoader />;
  return (
    <Stack gap="md">
      <ShowCard name={area.currentData.name} edit={mayManage ? `/areas/${areaId}/edit` : undefined} />
      <LinkList
        title="areas.rooms"
        none="areas.noRooms"
        more={`/rooms?area=${areaId}`}
        answer={rooms}
        link={(room) => ({ to: `/rooms/${room.id}`, name: room.name })}
      />
      <OpenSheetsOf of={{ areaId }} />
      <ClosedSheetsOf of={{ areaId }} />
    </Stack>
  );
}
