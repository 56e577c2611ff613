import { TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useParams } from 'react-router-dom';
import {
  type AreaView,
  useCreateAreaMutation,
  useDeleteAreaMutation,
  useReadAreaQuery,
  useUpdateAreaMutation,
} from '@/api/generated';
import { useText } from '@/i18n/useText';
import { DeleteButton } from '@/shared/forms/DeleteButton';
import { RecordForm } from '@/shared/forms/RecordForm';
import { Loaded } from '@/shared/ui/Loaded';
import { usePageTitle } from '@/shared/ui/pageName';

/** Create an area, or edit the one in the URL. */
export default function AreaFormPage() {
  const { id } = useParams();
  const read = useReadAreaQuery({ areaId: Number(id) }, { skip: !id });
  return id ? <Loaded read={read}>{(area) => <AreaForm area={area} />}</Loaded> : <AreaForm />;
}

function AreaForm({ area }: { area?: AreaView }) {
  const t = useText();
  usePageTitle(area?.name, true);
  const [createArea] = useCreateAreaMutation();
  const [updateArea] = useUpdateAreaMutation();
  const [deleteArea] = useDeleteAreaMutation();
  const form = useForm({
    initialValues: { name: area?.name ?? '', code: area?.code ?? '' },
    validate: { name: isNotEmpty(t('form.required')) },
  });
  return (
    <RecordForm
      form={form}
      run={(areaDraft) => (area ? updateArea({ areaId: area.id, areaDraft }) : createArea({ areaDraft }))}
      success={area ? 'areas.updated' : 'areas.created'}
      back={area ? `/areas/${area.id}` : '/areas'}
      extra={
        area && (
          <DeleteButton
            label="areas.delete"
            question="areas.delete.question"
            success="areas.deleted"
            what={area.name}
            run={() => deleteArea({ areaId: area.id })}
            after="/areas"
          />
        )
      }
    >
      <TextInput label={t('areas.name')} required maxLength={200} autoFocus {...form.getInputProps('name')} />
      <TextInput
        label={t('areas.code')}
        description={t('areas.codeHint')}
        maxLength={80}
        autoComplete="off"
        {...form.getInputProps('code')}
      />
    </RecordForm>
  );
}
