import { NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import {
  type RoomView,
  useAdmitUnidentifiedMutation,
  useListAreasQuery,
  useReadRoomQuery,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { FormCard } from '@/shared/forms/FormCard';
import { useSubmit } from '@/shared/forms/useSubmit';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { PageLoader } from '@/shared/ui/PageLoader';
import { useReturnPath } from '@/shared/ui/useReturnPath';
import { RoomSelect } from '@/topics/catalogue/RoomSelect';

const MAX_AGE = 130;

/** Admit a patient whose name is unknown: the patient and the sheet in one step. */
export default function AdmitUnidentifiedPage() {
  const roomId = Number(useSearchParams()[0].get('room')) || null;
  const room = useReadRoomQuery({ roomId: roomId ?? 0 }, { skip: roomId === null });
  throwOnError(room);
  if (roomId !== null && !room.currentData) return <PageLoader />;
  return <AdmitForm room={room.currentData} />;
}

function AdmitForm({ room }: { room?: RoomView }) {
  const t = useText();
  const navigate = useNavigate();
  const [admit] = useAdmitUnidentifiedMutation();
  const { submit, pending } = useSubmit();
  const areas = useListAreasQuery({ limit: 100 }).currentData?.items ?? [];
  const [areaId, setAreaId] = useState<number>();
  const form = useForm({
    initialValues: {
      sex: '',
      age: '',
      room_id: room?.id ?? (null as number | null),
      doctor: '',
      diagnosis: '',
    },
    validate: {
      age: (age) =>
        age.trim() === '' || (/^\d{1,3}$/.test(age.trim()) && Number(age) <= MAX_AGE)
          ? null
          : t('unidentified.ageWrong', { most: MAX_AGE }),
      room_id: isNotEmpty(t('form.required')),
    },
  });

  async function save({ sex, age, room_id, doctor, diagnosis }: typeof form.values) {
    const unidentifiedDraft = {
      sex: sex || undefined,
      age: age.trim() === '' ? undefined : Number(age),
      room_id: room_id as number,
      doctor,
      diagnosis,
    };
    const admitted = await submit((key) => admit({ 'Idempotency-Key': key, unidentifiedDraft }), {
      form,
      success: 'sheets.opened',
    });
    if (admitted.ok) navigate(detailsOf(admitted.data), { replace: true });
  }

  return (
    <FormCard
      form={form}
      save={save}
      pending={pending}
      back={useReturnPath('/consumption-sheets')}
      submitLabel={t('sheets.create')}
      notice={<Text c="dimmed">{t('unidentified.admitHint')}</Text>}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <NativeSelect
          label={t('unidentified.sex')}
          autoFocus
          data={[
            { value: '', label: t('merge.unknown') },
            { value: 'female', label: t('unidentified.female') },
            { value: 'male', label: t('unidentified.male') },
          ]}
          {...form.getInputProps('sex')}
        />
        <TextInput
          label={t('unidentified.age')}
          inputMode="numeric"
          maxLength={3}
          autoComplete="off"
          {...form.getInputProps('age')}
        />
        {areas.length > 1 && (
          <NativeSelect
            label={t('rooms.area')}
            value={areaId ?? ''}
            onChange={({ currentTarget }) => {
              setAreaId(Number(currentTarget.value) || undefined);
              form.setFieldValue('room_id', null);
            }}
            data={[
              { value: '', label: t('rooms.allAreas') },
              ...areas.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        )}
        <RoomSelect
          key={areaId}
          label={t('sheets.room')}
          required
          areaId={areaId}
          valueName={room?.name}
          {...form.getInputProps('room_id')}
        />
      </SimpleGrid>
      <TextInput label={t('sheets.doctor')} {...form.getInputProps('doctor')} />
      <TextInput label={t('sheets.diagnosis')} {...form.getInputProps('diagnosis')} />
    </FormCard>
  );
}
