import { useNavigate, useParams } from 'react-router-dom';
import { type RecallView, useReadRecallQuery, useUpdateRecallMutation } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { FormCard } from '@/components/forms/FormCard';
import { useSubmit } from '@/components/forms/useSubmit';
import { PageLoader } from '@/components/ui/PageLoader';
import { usePageTitle } from '@/components/ui/pageName';
import { useText } from '@/i18n/useText';
import { draftOf, RecallFields, type RecallValues, useRecallForm } from './RecallForm';
import { recallName } from './recallName';

export default function EditRecallPage() {
  const recall = useReadRecallQuery({ recallId: Number(useParams().id) });
  throwOnError(recall);
  return recall.currentData ? (
    <EditRecallForm key={recall.currentData.id} recall={recall.currentData} />
  ) : (
    <PageLoader />
  );
}

function EditRecallForm({ recall }: { recall: RecallView }) {
  const t = useText();
  usePageTitle(recallName(t, recall), true);
  const navigate = useNavigate();
  const [updateRecall] = useUpdateRecallMutation();
  const { submit, pending } = useSubmit();
  const { id, product, lot, reason, closed } = recall;
  const form = useRecallForm({
    product_id: product.id,
    all_lots: lot === null,
    lot: lot ?? '',
    reason,
  });
  const here = `/recalls/${id}`;

  async function save(values: RecallValues) {
    // Editing a closed recall must not put it in force again.
    const updated = await submit(
      () => updateRecall({ recallId: id, recallDraft: { ...draftOf(values), closed } }),
      { form, success: 'recalls.updated' },
    );
    if (updated.ok) navigate(here, { replace: true });
  }

  return (
    <FormCard form={form} save={save} pending={pending} back={here}>
      <RecallFields form={form} productName={product.name} />
    </FormCard>
  );
}
