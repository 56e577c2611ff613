import { etag } from '@/api/etag';
import { type DetailView, useDeleteDetailMutation } from '@/api/generated';
import { DeleteButton } from '@/components/DeleteButton';
import { useFormat } from '@/i18n/useFormat';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';

/** For those who may: ward staff what they recorded themselves, others any. */
export function DeleteDetailButton({ detail, after }: { detail: DetailView; after: string }) {
  const format = useFormat();
  const { user } = useSession();
  const mayDeleteAny = useCan('details.delete_any');
  const mayDeleteOwn = useCan('details.delete_own');
  const [deleteDetail] = useDeleteDetailMutation();
  if (!mayDeleteAny && !(mayDeleteOwn && detail.user_id === user?.id)) return null;
  return (
    <DeleteButton
      label="details.delete"
      question="details.delete.question"
      success="details.deleted"
      what={`${format.quantity(detail.quantity)} × ${detail.product.name}`}
      run={() => deleteDetail({ detailId: detail.id, 'If-Match': etag(detail) })}
      after={after}
    />
  );
}
