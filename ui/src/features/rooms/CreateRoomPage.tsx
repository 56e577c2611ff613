import { useNavigate, useSearchParams } from 'react-router-dom';
import { type AreaView, useCreateRoomMutation, useReadAreaQuery } from '@/api/generated';
import { FormCard } from '@/components/forms/FormCard';
import { useSubmit } from '@/components/forms/useSubmit';
import { PageLoader } from '@/components/ui/PageLoader';
import { useReturnPath } from '@/components/ui/useReturnPath';
import { RoomFields, type RoomValues, useRoomForm } from './RoomForm';
import { roomStates } from './roomStates';

/** Create a room, by default in the area by which the list was filtered. */
export default function CreateRoomPage() {
  const areaId = Number(useSearchParams()[0].get('area'));
  const area = useReadAreaQuery({ areaId }, { skip: !areaId });
  return area.isLoading ? <PageLoader /> : <CreateRoomForm area={area.data} />;
}

function CreateRoomForm({ area }: { area?: AreaView }) {
  const navigate = useNavigate();
  const [createRoom] = useCreateRoomMutation();
  const { submit, pending } = useSubmit();
  const back = useReturnPath('/rooms');
  const available = roomStates[0]?.value ?? 1;
  const form = useRoomForm({
    name: '',
    code: '',
    area_id: area?.id ?? null,
    status: available,
    type: available,
  });

  async function save({ name, code, area_id, status }: RoomValues) {
    const created = await submit(
      // The form has no field for the type, so the status is sent as the type too.
      () => createRoom({ roomDraft: { name, code, area_id: area_id as number, status, type: status } }),
      { form, success: 'rooms.created' },
    );
    if (created.ok) navigate(back, { replace: true });
  }

  return (
    <FormCard form={form} save={save} pending={pending} back={back}>
      <RoomFields form={form} areaName={area?.name} />
    </FormCard>
  );
}
