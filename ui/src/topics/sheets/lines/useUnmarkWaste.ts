import { etag } from '@/api/etag';
import { type DetailView, useUnmarkWasteMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import { toastIfGone } from './lineAction';

/** Return a function that takes back that a line was thrown away. */
export function useUnmarkWaste(onSaved: (detail: DetailView) => void) {
  const t = useText();
  const [unmarkWaste] = useUnmarkWasteMutation();
  const { submit } = useSubmit();
  return async (detail: DetailView) => {
    const done = await submit(() => unmarkWaste({ detailId: detail.id, 'If-Match': etag(detail) }), {
      success: 'waste.undone',
      onProblem: toastIfGone(t),
    });
    if (done.ok) onSaved(done.data);
  };
}
