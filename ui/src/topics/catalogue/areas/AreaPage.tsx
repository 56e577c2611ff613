import { Button, Stack } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useParams } from 'react-router-dom';
import { useListRoomsQuery, useReadAreaQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { LinkList } from '@/shared/lists/LinkList';
import { ClosedSheetList, OpenSheetList } from '@/shared/records/SheetLists';
import { PageLoader } from '@/shared/ui/PageLoader';
import { RecordCard } from '@/shared/ui/RecordCard';
import { usePrintForms } from '@/topics/printing/usePrintForms';

/** Show one area and its rooms. */
export default function AreaPage() {
  const t = useText();
  const { print, dialog } = usePrintForms();
  const areaId = Number(useParams().id);
  const mayManage = useCan('catalogue.manage');
  const area = useReadAreaQuery({ areaId });
  const rooms = useListRoomsQuery({ areaId, limit: 100 });
  throwOnError(area);
  throwOnError(rooms);
  if (!area.currentData) return <PageLoader />;
  return (
    <Stack gap="md">
      <RecordCard
        name={area.currentData.name}
        edit={mayManage ? `/areas/${areaId}/edit` : undefined}
        actions={
          <Button
            variant="default"
            leftSection={<IconPrinter size={20} aria-hidden />}
            onClick={() => print({ areaId })}
          >
            {t('forms.print')}
          </Button>
        }
      />
      <LinkList
        title="areas.rooms"
        none="areas.noRooms"
        more={`/rooms?area=${areaId}`}
        answer={rooms}
        link={(room) => ({ to: `/rooms/${room.id}`, name: room.name })}
      />
      <OpenSheetList of={{ areaId }} />
      <ClosedSheetList of={{ areaId }} />
      {dialog}
    </Stack>
  );
}
