import { useNavigate, useParams } from 'react-router-dom';
import {
  type RoomView,
  useDeleteRoomMutation,
  useReadRoomQuery,
  useUpdateRoomMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { DeleteButton } from '@/components/forms/DeleteButton';
import { FormCard } from '@/components/forms/FormCard';
import { useSubmit } from '@/components/forms/useSubmit';
import { PageLoader } from '@/components/ui/PageLoader';
import { usePageTitle } from '@/components/ui/pageName';
import { useReturnPath } from '@/components/ui/useReturnPath';
import { RoomFields, type RoomValues, useRoomForm } from './RoomForm';

export default function EditRoomPage() {
  const { id } = useParams();
  const room = useReadRoomQuery({ roomId: Number(id) });
  throwOnError(room);
  return room.currentData ? (
    <EditRoomForm key={room.currentData.id} room={room.currentData} />
  ) : (
    <PageLoader />
  );
}

function EditRoomForm({ room }: { room: RoomView }) {
  usePageTitle(room.name, true);
  const navigate = useNavigate();
  const [updateRoom] = useUpdateRoomMutation();
  const [deleteRoom] = useDeleteRoomMutation();
  const { submit, pending } = useSubmit();
  const itself = `/rooms/${room.id}`;
  const back = useReturnPath(itself);
  const form = useRoomForm({
    name: room.name,
    code: room.code ?? '',
    area_id: room.area_id,
    status: room.status,
    type: room.type,
  });

  async function save({ area_id, ...values }: RoomValues) {
    const updated = await submit(
      () => updateRoom({ roomId: room.id, roomDraft: { ...values, area_id: area_id as number } }),
      { form, success: 'rooms.updated' },
    );
    if (updated.ok) navigate(back, { replace: true });
  }

  return (
    <FormCard
      form={form}
      save={save}
      pending={pending}
      back={back}
      extra={
        <DeleteButton
          label="rooms.delete"
          question="rooms.delete.question"
          success="rooms.deleted"
          what={`${room.name} (${room.area.name})`}
          run={() => deleteRoom({ roomId: room.id })}
          after={back === itself ? '/rooms' : back}
        />
      }
    >
      <RoomFields form={form} areaName={room.area.name} typed />
    </FormCard>
  );
}
