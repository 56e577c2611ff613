import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import {
  type RecallView,
  useOpenRecallMutation,
  useReadProductQuery,
  useReadRecallQuery,
  useUpdateRecallMutation,
} from '@/api/generated';
import { useText } from '@/i18n/useText';
import { RecordForm } from '@/shared/forms/RecordForm';
import { Loaded } from '@/shared/ui/Loaded';
import { usePageTitle } from '@/shared/ui/pageName';
import { draftOf, RecallFields, useRecallForm } from './RecallForm';
import { recallName } from './recallName';

/** Open a recall, or edit the one in the URL. */
export default function RecallFormPage() {
  const { id } = useParams();
  const read = useReadRecallQuery({ recallId: Number(id) }, { skip: !id });
  return id ? <Loaded read={read}>{(recall) => <RecallForm recall={recall} />}</Loaded> : <RecallForm />;
}

function RecallForm({ recall }: { recall?: RecallView }) {
  const t = useText();
  usePageTitle(recall && recallName(t, recall), true);
  const navigate = useNavigate();
  const [openRecall] = useOpenRecallMutation();
  const [updateRecall] = useUpdateRecallMutation();
  // The register of implants links here with the lot of an implant.
  const [params] = useSearchParams();
  const productId = recall ? null : Number(params.get('product')) || null;
  const product = useReadProductQuery({ productId: productId ?? 0 }, { skip: productId === null });
  const form = useRecallForm({
    product_id: recall?.product.id ?? productId,
    all_lots: recall?.lot === null,
    lot: recall?.lot ?? params.get('lot') ?? '',
    reason: recall?.reason ?? '',
  });
  return (
    <RecordForm
      form={form}
      run={(values) => {
        const recallDraft = draftOf(values);
        if (!recall) return openRecall({ recallDraft });
        // Editing a closed recall must not put it in force again.
        return updateRecall({ recallId: recall.id, recallDraft: { ...recallDraft, closed: recall.closed } });
      }}
      success={recall ? 'recalls.updated' : 'recalls.created'}
      back={recall ? `/recalls/${recall.id}` : '/recalls'}
      // The page of a new recall shows where the lot has already been used, which is the next question.
      onSaved={({ id }) => navigate(`/recalls/${id}`, { replace: true })}
    >
      <RecallFields form={form} productName={recall?.product.name ?? product.currentData?.name} />
    </RecordForm>
  );
}
