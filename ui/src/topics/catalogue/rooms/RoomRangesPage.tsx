import { NativeSelect, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import {
  type AreaView,
  type RoomRangesView,
  useCheckRoomRangesMutation,
  useCreateRoomRangesMutation,
  useReadAreaQuery,
} from '@/api/generated';
import { toProblem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { FormCard } from '@/shared/forms/FormCard';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { useSubmit } from '@/shared/forms/useSubmit';
import { settled } from '@/shared/forms/useUnsavedChangesPrompt';
import { PageLoader } from '@/shared/ui/PageLoader';
import { toast } from '@/shared/ui/toast';
import { useReturnPath } from '@/shared/ui/useReturnPath';
import { useAreas } from '../useAreas';
import { roomStates } from './roomStates';

/** Create several rooms of an area at once, such as 201–240. */
export default function RoomRangesPage() {
  const areaId = Number(useSearchParams()[0].get('area'));
  const area = useReadAreaQuery({ areaId }, { skip: !areaId });
  return area.isLoading ? <PageLoader /> : <RangesForm area={area.data} />;
}

function RangesForm({ area }: { area?: AreaView }) {
  const t = useText();
  const navigate = useNavigate();
  const back = useReturnPath('/rooms');
  const [create] = useCreateRoomRangesMutation();
  const { submit, pending } = useSubmit();
  const required = isNotEmpty(t('form.required'));
  const form = useForm({
    initialValues: { ranges: '', area_id: area?.id ?? (null as number | null), status: '1' },
    validate: { ranges: required, area_id: required },
  });
  const { ranges, area_id } = form.values;
  const { preview, refusal } = usePreview(ranges, area_id);
  const count = preview?.created.length ?? 0;

  async function save(values: typeof form.values) {
    const roomRangesDraft = {
      ranges: values.ranges,
      area_id: values.area_id as number,
      status: Number(values.status),
    };
    const done = await submit(() => create({ roomRangesDraft }), { form });
    if (!done.ok) return;
    toast.success(t('rooms.severalCreated', { count: done.data.created.length }));
    navigate(back, { state: settled });
  }

  return (
    <FormCard
      form={form}
      save={save}
      pending={pending}
      back={back}
      submitLabel={count > 0 ? t('rooms.createCount', { count }) : t('rooms.createSeveral')}
    >
      <Textarea
        label={t('rooms.title')}
        description={t('rooms.rangesHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        autoFocus
        autosize={false}
        rows={3}
        maxLength={4000}
        {...form.getInputProps('ranges')}
        error={form.errors.ranges ?? refusal}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <SearchSelect<AreaView>
          label={t('rooms.area')}
          required
          useFound={useAreas}
          nameOf={({ name }) => name}
          valueName={area?.name}
          {...form.getInputProps('area_id')}
        />
        <NativeSelect
          label={t('rooms.status')}
          data={roomStates.map(({ value, label }) => ({ value: String(value), label: t(label) }))}
          {...form.getInputProps('status')}
        />
      </SimpleGrid>
      {preview && <Preview preview={preview} />}
    </FormCard>
  );
}

interface Seen {
  preview?: RoomRangesView;
  refusal?: string;
}

/** Ask the server what a text would create, whenever the user pauses. */
function usePreview(ranges: string, areaId: number | null): Seen {
  const [check] = useCheckRoomRangesMutation();
  const [typed] = useDebouncedValue(ranges.trim(), 300);
  const [seen, setSeen] = useState<Seen & { of: string }>();
  const of = `${areaId} ${typed}`;
  useEffect(() => {
    if (!typed || areaId === null) return;
    let isCurrent = true;
    void check({ roomRangesDraft: { ranges: typed, area_id: areaId } }).then(({ data, error }) => {
      if (!isCurrent) return;
      const problem = error ? toProblem(error) : undefined;
      setSeen({ of: `${areaId} ${typed}`, preview: data, refusal: problem?.messages[0]?.text });
    });
    return () => {
      isCurrent = false;
    };
  }, [typed, areaId, check]);
  return seen?.of === of && typed === ranges.trim() ? seen : {};
}

/** How many names are shown at the beginning of a long list. */
const FIRST = 12;

function Preview({ preview: { created, existing } }: { preview: RoomRangesView }) {
  const t = useText();
  return (
    <Stack gap="xs" role="status">
      <div>
        <Text fw={650}>{t('rooms.willCreate', { count: created.length })}</Text>
        {created.length > 0 && <Text>{listed(created)}</Text>}
      </div>
      {existing.length > 0 && (
        <div>
          <Text fw={650}>{t('rooms.alreadyThere', { count: existing.length })}</Text>
          <Text>{listed(existing)}</Text>
        </div>
      )}
    </Stack>
  );
}

/** The first names and the last one. */
function listed(names: string[]) {
  if (names.length <= FIRST + 1) return names.join(', ');
  return `${names.slice(0, FIRST).join(', ')} … ${names.at(-1)}`;
}
