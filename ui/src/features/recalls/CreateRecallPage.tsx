import { useNavigate } from 'react-router-dom';
import { useOpenRecallMutation } from '@/api/generated';
import { FormCard } from '@/components/forms/FormCard';
import { useSubmit } from '@/components/forms/useSubmit';
import { draftOf, RecallFields, type RecallValues, useRecallForm } from './RecallForm';

export default function CreateRecallPage() {
  const navigate = useNavigate();
  const [openRecall] = useOpenRecallMutation();
  const { submit, pending } = useSubmit();
  const form = useRecallForm({ product_id: null, all_lots: false, lot: '', reason: '' });

  async function save(values: RecallValues) {
    const opened = await submit(() => openRecall({ recallDraft: draftOf(values) }), {
      form,
      success: 'recalls.created',
    });
    // Its page shows where the lot has already been used, which is the next question.
    if (opened.ok) navigate(`/recalls/${opened.data.id}`, { replace: true });
  }

  return (
    <FormCard form={form} save={save} pending={pending} back="/recalls">
      <RecallFields form={form} />
    </FormCard>
  );
}
