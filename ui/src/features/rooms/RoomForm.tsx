import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import '@mantine/core/styles/SimpleGrid.css';
import type { AreaView } from '@/api/generated';
import { useAreas } from '@/components/catalogue/useAreas';
import { SearchSelect } from '@/components/forms/SearchSelect';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { roomStates, roomTypes } from './roomStates';

export interface RoomValues {
  name: string;
  code: string;
  area_id: number | null;
  status: number;
  type: number;
}

export function useRoomForm(initialValues: RoomValues) {
  const t = useText();
  const required = isNotEmpty(t('form.required'));
  return useForm({ initialValues, validate: { name: required, area_id: required } });
}

interface Props {
  form: UseFormReturnType<RoomValues>;
  /** The name of the present area. */
  areaName?: string;
  /** Whether to show the type; the type of a new room is its status. */
  typed?: boolean;
}

export function RoomFields({ form, areaName, typed = false }: Props) {
  const t = useText();
  return (
    <>
      <TextInput label={t('rooms.name')} required maxLength={200} autoFocus {...form.getInputProps('name')} />
      <SearchSelect<AreaView>
        label={t('rooms.area')}
        required
        useFound={useAreas}
        nameOf={(area) => area.name}
        valueName={areaName}
        {...form.getInputProps('area_id')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NumberSelect form={form} field="status" label="rooms.status" choices={roomStates} />
        {typed && <NumberSelect form={form} field="type" label="rooms.type" choices={roomTypes} />}
      </SimpleGrid>
      <TextInput
        label={t('areas.code')}
        description={t('rooms.codeHint')}
        maxLength={80}
        autoComplete="off"
        {...form.getInputProps('code')}
      />
    </>
  );
}

interface NumberSelectProps {
  form: UseFormReturnType<RoomValues>;
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
