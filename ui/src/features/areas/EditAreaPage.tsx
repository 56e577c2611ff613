import { useNavigate, useParams } from 'react-router-dom';
import {
  type AreaView,
  useDeleteAreaMutation,
  useReadAreaQuery,
  useUpdateAreaMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { DeleteButton } from '@/components/forms/DeleteButton';
import { FormCard } from '@/components/forms/FormCard';
import { useSubmit } from '@/components/forms/useSubmit';
import { PageLoader } from '@/components/ui/PageLoader';
import { usePageTitle } from '@/components/ui/pageName';
import { AreaFields, type AreaValues, useAreaForm } from './AreaForm';

export default function EditAreaPage() {
  const { id } = useParams();
  const area = useReadAreaQuery({ areaId: Number(id) });
  throwOnError(area);
  return area.currentData ? (
    <EditAreaForm key={area.currentData.id} area={area.currentData} />
  ) : (
    <PageLoader />
  );
}

function EditAreaForm({ area }: { area: AreaView }) {
  usePageTitle(area.name, true);
  const navigate = useNavigate();
  const [updateArea] = useUpdateAreaMutation();
  const [deleteArea] = useDeleteAreaMutation();
  const { submit, pending } = useSubmit();
  const form = useAreaForm({ name: area.name, code: area.code ?? '' });
  const here = `/areas/${area.id}`;

  async function save(areaDraft: AreaValues) {
    const updated = await submit(() => updateArea({ areaId: area.id, areaDraft }), {
      form,
      success: 'areas.updated',
    });
    if (updated.ok) navigate(here, { replace: true });
  }

  return (
    <FormCard
      form={form}
      save={save}
      pending={pending}
      back={here}
      extra={
        <DeleteButton
          label="areas.delete"
          question="areas.delete.question"
          success="areas.deleted"
          what={area.name}
          run={() => deleteArea({ areaId: area.id })}
          after="/areas"
        />
      }
    >
      <AreaFields form={form} />
    </FormCard>
  );
}
