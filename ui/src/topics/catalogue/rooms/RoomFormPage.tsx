import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { useParams, useSearchParams } from 'react-router-dom';
import {
  type AreaView,
  type RoomView,
  useCreateRoomMutation,
  useDeleteRoomMutation,
  useReadAreaQuery,
  useReadRoomQuery,
  useUpdateRoomMutation,
} from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { DeleteButton } from '@/shared/forms/DeleteButton';
import { RecordForm } from '@/shared/forms/RecordForm';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { Loaded } from '@/shared/ui/Loaded';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePageTitle } from '@/shared/ui/pageName';
import { useReturnPath } from '@/shared/ui/useReturnPath';
import { useAreas } from '../useAreas';
import { roomStates, roomTypes } from './roomStates';

/** Create a room, by default in the area by which the list was filtered, or edit the one in the URL. */
export default function RoomFormPage() {
  const { id } = useParams();
  const areaId = Number(useSearchParams()[0].get('area'));
  const read = useReadRoomQuery({ roomId: Number(id) }, { skip: !id });
  const area = useReadAreaQuery({ areaId }, { skip: !areaId || Boolean(id) });
  if (id) return <Loaded read={read}>{(room) => <RoomForm room={room} area={room.area} />}</Loaded>;
  return area.isLoading ? <PageLoader /> : <RoomForm area={area.data} />;
}

interface Values {
  name: string;
  area_id: number | null;
  status: number;
  type: number;
  code: string;
}

function RoomForm({ room, area }: { room?: RoomView; area?: Pick<AreaView, 'id' | 'name'> }) {
  const t = useText();
  usePageTitle(room?.name, true);
  const [createRoom] = useCreateRoomMutation();
  const [updateRoom] = useUpdateRoomMutation();
  const [deleteRoom] = useDeleteRoomMutation();
  const itself = room && `/rooms/${room.id}`;
  const back = useReturnPath(itself ?? '/rooms');
  const required = isNotEmpty(t('form.required'));
  const available = roomStates[0]?.value ?? 1;
  const form = useForm<Values>({
    initialValues: {
      name: room?.name ?? '',
      area_id: area?.id ?? null,
      status: room?.status ?? available,
      type: room?.type ?? available,
      code: room?.code ?? '',
    },
    validate: { name: required, area_id: required },
  });

  function save(values: Values) {
    const roomDraft = { ...values, area_id: values.area_id as number };
    if (room) return updateRoom({ roomId: room.id, roomDraft });
    // A new room has no field for the type, so the status is sent as the type too.
    return createRoom({ roomDraft: { ...roomDraft, type: roomDraft.status } });
  }

  return (
    <RecordForm
      form={form}
      run={save}
      success={room ? 'rooms.updated' : 'rooms.created'}
      back={back}
      extra={
        room && (
          <DeleteButton
            label="rooms.delete"
            question="rooms.delete.question"
            success="rooms.deleted"
            what={`${room.name} (${room.area.name})`}
            run={() => deleteRoom({ roomId: room.id })}
            after={back === itself ? '/rooms' : back}
          />
        )
      }
    >
      <TextInput label={t('rooms.name')} required maxLength={200} autoFocus {...form.getInputProps('name')} />
      <SearchSelect<AreaView>
        label={t('rooms.area')}
        required
        useFound={useAreas}
        nameOf={(area) => area.name}
        valueName={area?.name}
        {...form.getInputProps('area_id')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NumberSelect form={form} field="status" label="rooms.status" choices={roomStates} />
        {room && <NumberSelect form={form} field="type" label="rooms.type" choices={roomTypes} />}
      </SimpleGrid>
      <TextInput
        label={t('areas.code')}
        description={t('rooms.codeHint')}
        maxLength={80}
        autoComplete="off"
        {...form.getInputProps('code')}
      />
    </RecordForm>
  );
}

interface NumberSelectProps {
  form: UseFormReturnType<Values>;
  field: 'status' | 'type';
  label: MessageId;
  choices: { value: number; label: MessageId }[];
}

function NumberSelect({ form, field, label, choices }: NumberSelectProps) {
  const t = useText();
  return (
    <NativeSelect
      label={t(label)}
      required
      data={choices.map((choice) => ({ value: String(choice.value), label: t(choice.label) }))}
      {...form.getInputProps(field)}
      value={String(form.values[field])}
      onChange={(event) => form.setFieldValue(field, Number(event.currentTarget.value))}
    />
  );
}
