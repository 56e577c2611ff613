import { Anchor, Stack } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { useReadRoomQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { LinkList } from '@/shared/lists/LinkList';
import { fullName } from '@/shared/records/fullName';
import { ClosedSheetList } from '@/shared/records/SheetLists';
import { DescriptionItem } from '@/shared/ui/DescriptionList';
import { PageLoader } from '@/shared/ui/PageLoader';
import { RecordCard } from '@/shared/ui/RecordCard';
import { RoomState, RoomType } from './RoomState';

/** Show one room and its patients. */
export default function RoomPage() {
  const t = useText();
  const format = useFormat();
  const roomId = Number(useParams().id);
  const mayManage = useCan('catalogue.manage');
  const room = useReadRoomQuery({ roomId });
  throwOnError(room);
  if (!room.currentData) return <PageLoader />;
  const { name, area, status, type, sheets } = room.currentData;
  return (
    <Stack gap="md">
      <RecordCard name={name} edit={mayManage ? `/rooms/${roomId}/edit` : undefined}>
        <DescriptionItem name={t('rooms.area')}>
          <Anchor component={Link} to={`/areas/${area.id}`}>
            {area.name}
          </Anchor>
        </DescriptionItem>
        <DescriptionItem name={t('rooms.status')}>
          <RoomState value={status} />
        </DescriptionItem>
        <DescriptionItem name={t('rooms.type')}>
          <RoomType value={type} />
        </DescriptionItem>
      </RecordCard>
      <LinkList
        title="rooms.sheets"
        none="rooms.noSheets"
        answer={{ currentData: { items: sheets, meta: { total: sheets.length } } }}
        link={(sheet) => ({
          to: `/consumption-sheets/${sheet.id}`,
          name: fullName(sheet.patient),
          note: t('rooms.since', { day: format.day(sheet.admission_date) }),
        })}
      />
      <ClosedSheetList of={{ roomId }} />
    </Stack>
  );
}
