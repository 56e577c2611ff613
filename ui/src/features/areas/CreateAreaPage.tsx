import { useNavigate } from 'react-router-dom';
import { useCreateAreaMutation } from '@/api/generated';
import { FormCard } from '@/components/forms/FormCard';
import { useSubmit } from '@/components/forms/useSubmit';
import { AreaFields, type AreaValues, useAreaForm } from './AreaForm';

export default function CreateAreaPage() {
  const navigate = useNavigate();
  const [createArea] = useCreateAreaMutation();
  const { submit, pending } = useSubmit();
  const form = useAreaForm({ name: '', code: '' });

  async function save(areaDraft: AreaValues) {
    const created = await submit(() => createArea({ areaDraft }), { form, success: 'areas.created' });
    if (created.ok) navigate('/areas', { replace: true });
  }

  return (
    <FormCard form={form} save={save} pending={pending} back="/areas">
      <AreaFields form={form} />
    </FormCard>
  );
}
